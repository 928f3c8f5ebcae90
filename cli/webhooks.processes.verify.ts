import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newId } from '../server/base/id.ts'
import { startReceiver } from '../server/test/receiver.ts'
import { insertDelivery } from '../server/webhooks/endpoint.fixture.ts'
import { helpOf, json, openCli } from './cli.fixture.ts'
import { noteOnService } from './running-service.ts'
import { webhooksCommand } from './webhooks.ts'

const { pool, rapport, spawn, org } = await openCli({ EGRESS_ALLOW_PRIVATE: 'true' })

const receiver = await startReceiver()

const endpoints = (name: string, ...args: string[]) =>
  rapport(['webhooks', 'endpoints', name, '--org', 'acme', ...args])
const deliveries = (name: string, ...args: string[]) =>
  rapport(['webhooks', 'deliveries', name, '--org', 'acme', ...args])

interface Added {
  id: string
  secret: string
}

const add = (...args: string[]) =>
  json<Added>(endpoints('add', '--url', `${receiver.url}/hooks`, ...args, '--json'))

test('adds endpoints with all fields, and changes, lists and deletes them', async () => {
  const filters = [
    '--events',
    'record.updated, record.created',
    '--objects',
    'deals',
    '--changed',
    'stage,amount',
  ]
  const headers = ['--header', 'Authorization: Bearer a:b', '--header', 'X-Team:sales']
  const added = await add(...filters, ...headers, '--rate-limit', '20', '--description', 'Billing')
  expect(added).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_.{44}$/) })
  const { id } = added
  const deals = await pool.one<{ id: string }>(
    sql`select id from objects where org = ${org} and slug = 'deals'`,
  )
  const fields = {
    id,
    url: `${receiver.url}/hooks`,
    description: 'Billing',
    eventTypes: expect.arrayContaining(['record.updated', 'record.created']),
    objectIds: [deals.id],
    changedAttributes: ['stage', 'amount'],
    headers: [
      { name: 'Authorization', value: 'Bearer a:b' },
      { name: 'X-Team', value: 'sales' },
    ],
    rateLimit: 20,
    isEnabled: true,
  }
  expect(await json(endpoints('list', '--json'))).toMatchObject([fields])

  const one = ['--endpoint', id]
  const disabled = await json(endpoints('update', ...one, '--disable', '--json'))
  expect(disabled).toMatchObject({ ...fields, isEnabled: false, disabledReason: 'manual' })
  const open = [
    '--events',
    'all',
    '--objects',
    'all',
    '--changed',
    'all',
    '--rate-limit',
    'none',
    '--clear-headers',
  ]
  expect(await json(endpoints('update', ...one, ...open, '--enable', '--json'))).toMatchObject({
    description: 'Billing',
    eventTypes: null,
    objectIds: null,
    changedAttributes: null,
    headers: [],
    rateLimit: null,
    isEnabled: true,
  })
  const listed = await endpoints('list')
  expect(listed.stdout).toMatch(/^ID +URL .*\n/)
  expect(listed.stdout).toContain(`${id}  ${receiver.url}/hooks  active  all`)
  expect(listed.stdout).not.toContain(added.secret)

  expect(await endpoints('delete', ...one)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'rapport: This deletes the endpoint and its deliveries permanently: confirm with --yes\n',
  })
  expect(await json(endpoints('delete', ...one, '--yes', '--json'))).toEqual({ id, deleted: true })
  expect((await endpoints('list')).stdout).toMatch(/^No endpoints yet/)
})

test('sends a signed test event, and shows the response', async () => {
  const { id, secret } = await add()
  const send = () => endpoints('test', '--endpoint', id, '--event', 'record.created')
  const before = receiver.count()
  const taken = await send()
  expect(taken).toMatchObject({ code: 0, stderr: '' })
  expect(taken.stdout).toMatch(/^record\.created: responded with 200 after \d+ ms\n$/)
  const request = receiver.requests[before]
  const body = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
  expect(body).toMatchObject({ type: 'record.created', test: true })
  receiver.answer({ status: 500 })
  const refused = await send()
  receiver.answer({})
  expect(refused).toMatchObject({ code: 1, stderr: '' })
  expect(refused.stdout).toMatch(
    /^record\.created: responded with 500 Internal Server Error: .+ log \(\d+ ms\)\n$/,
  )
})

test('lists, replays and recovers deliveries', async () => {
  const { id: endpoint } = await add()
  const context = { db: pool } as unknown as Parameters<typeof insertDelivery>[0]
  await insertDelivery(context, { org, endpoint }, { event: newId(), state: 'succeeded' })
  await insertDelivery(context, { org, endpoint }, { event: newId(), state: 'failed' })
  const one = ['--endpoint', endpoint]
  const failed = await json<{ deliveries: { id: string }[] }>(
    deliveries('list', ...one, '--status', 'failed', '--json'),
  )
  expect(failed.deliveries).toMatchObject([{ endpointId: endpoint, state: 'failed' }])
  const [{ id = '' } = {}] = failed.deliveries
  const page = await deliveries('list', ...one, '--event', 'record.created', '--limit', '1')
  const [, row, cursor] = page.stdout.trimEnd().split('\n')
  expect(row).toMatch(new RegExp(`^${id}  record\\.created  failed `))
  const [, next = ''] = /^There are older ones: --cursor (\S+)$/.exec(cursor ?? '') ?? []
  const older = await json(
    deliveries('list', ...one, '--event', 'record.created', '--cursor', next, '--json'),
  )
  expect(older).toMatchObject({ deliveries: [{ state: 'succeeded' }] })

  expect(await json(deliveries('replay', '--delivery', id, '--json'))).toMatchObject({ id, state: 'pending' })
  const since = ['--since', new Date(Date.now() - 60_000).toISOString()]
  for (const [flags, kind] of [
    [[], 'failed'],
    [['--missing'], 'missing'],
  ] as const) {
    const replay = await json(deliveries('recover', ...one, ...since, ...flags, '--json'))
    expect(replay).toMatchObject({ kind, state: 'running' })
  }
})

test('a replay prints a note if no service is running', async () => {
  const { id: endpoint } = await add()
  const since = new Date(Date.now() - 60_000).toISOString()
  // The command treats the older connections of this process as connections of a service.
  const options = ['--org', 'acme', '--endpoint', endpoint, '--since', since]
  const { stdout } = await spawn(['webhooks', 'deliveries', 'recover', ...options])
  expect(stdout).toMatch(/^Deliveries that failed from \S+ to \S+ will be sent\.\n$/)
  expect(await noteOnService(pool)).toEqual([expect.stringMatching(/^No service is running/)])
})

test.each<[string, string[], RegExp]>([
  [
    'an unknown event type',
    ['endpoints', 'add', '--url', 'http://localhost/', '--events', 'record.eaten'],
    /eventTypes/,
  ],
  ['an invalid address', ['endpoints', 'add', '--url', 'nonsense'], /^rapport: url: /],
  [
    'a header without a value',
    ['endpoints', 'add', '--url', 'http://localhost/', '--header', 'X'],
    /Write it as "Name: value"/,
  ],
  [
    'an object that is not there',
    ['endpoints', 'add', '--url', 'http://localhost/', '--objects', 'nope'],
    /No such object/,
  ],
  [
    'a rate that is none',
    ['endpoints', 'add', '--url', 'http://localhost/', '--rate-limit', 'fast'],
    /whole number, or none/,
  ],
  ['nothing to change', ['endpoints', 'update', '--endpoint', newId()], /choose an option/],
  [
    'both ways together',
    ['endpoints', 'update', '--endpoint', newId(), '--enable', '--disable'],
    /cannot be used with/,
  ],
  [
    'an endpoint that is not there',
    ['endpoints', 'test', '--endpoint', newId(), '--event', 'record.created'],
    /No such endpoint/,
  ],
  [
    'a state that is none',
    ['deliveries', 'list', '--endpoint', newId(), '--status', 'lost'],
    /Allowed choices are pending, /,
  ],
  [
    'a limit that is none',
    ['deliveries', 'list', '--endpoint', newId(), '--limit', 'x'],
    /^rapport: limit: /,
  ],
  ['a delivery that is not there', ['deliveries', 'replay', '--delivery', 'dlv_x'], /No such delivery/],
  [
    'a time that is none',
    ['deliveries', 'recover', '--endpoint', newId(), '--since', 'yesterday'],
    /^rapport: since: /,
  ],
])('%s is refused in one line', async (_, [group = '', name = '', ...args], message) => {
  const { code, stdout, stderr } = await rapport(['webhooks', group, name, '--org', 'acme', ...args])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test.each([
  ['endpoints', 'list'],
  ['deliveries', 'replay', '--delivery', 'dlv_x'],
])('%s are refused if Svix delivers the webhooks', async (group, name, ...args) => {
  const svix = { WEBHOOK_PROVIDER: 'svix', SVIX_TOKEN: 'testsk_1.eu' }
  const { code, stdout, stderr } = await rapport(['webhooks', group, name, '--org', 'acme', ...args], svix)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^rapport: Svix delivers the webhooks of this installation: .*\n$/)
})

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)]
test.each(withAll(webhooksCommand()).map((command) => [command.name(), command] as const))(
  'the help of %s shows examples',
  (_, command) => expect(helpOf(command)).toContain('Examples:\n  $ '),
)
