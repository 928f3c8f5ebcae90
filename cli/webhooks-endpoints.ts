// rapport webhooks endpoints: manages the endpoints to which events are delivered.
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type DeliveryDetail,
  type Endpoint,
  EndpointPatch,
  NewEndpoint,
  TestSend,
} from '../contract/webhooks.ts'
import type { Caller } from '../server/base/caller.ts'
import { getObject } from '../server/model/objects/store.ts'
import { checked } from './checked.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withOwnWebhooks } from './own-webhooks.ts'
import type { CliSession } from './session.ts'

interface EndpointOptions extends OrgOptions {
  endpoint: string
}

/** Common options of add and update. */
interface FieldOptions {
  url?: string
  description?: string
  events?: string
  objects?: string
  changed?: string
  header?: { name: string; value: string }[]
  rateLimit?: number | 'none'
}

type AddOptions = OrgOptions & FieldOptions

interface UpdateOptions extends EndpointOptions, FieldOptions {
  enable?: true
  disable?: true
  clearHeaders?: true
}

type Work<Result> = (ctx: CliSession['ctx'], caller: Caller) => Promise<Result>

const service = () => import('../server/webhooks/endpoints/service.ts')

const withCaller = <Result>({ org }: OrgOptions, work: Work<Result>) => withOwnWebhooks(org, work)

/** null for no filter. */
const listOrAll = (text: string) => (text === 'all' ? null : text.split(',').map((part) => part.trim()))

function numberOrNone(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, or none')
}

function collectHeader(text: string, headers: { name: string; value: string }[] = []) {
  const at = text.indexOf(':')
  if (at < 1) throw new InvalidArgumentError('Write it as "Name: value"')
  return [...headers, { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() }]
}

async function idsOf({ db }: CliSession['ctx'], org: number, list: string): Promise<string[] | null> {
  const refs = listOrAll(list)
  return refs && Promise.all(refs.map(async (ref) => (await getObject(db, org, ref)).id))
}

/** Only the given fields: an update does not change the others. */
async function fieldsOf(ctx: CliSession['ctx'], { org }: Caller, options: FieldOptions): Promise<object> {
  const { url, description, events, objects, changed, header, rateLimit } = options
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(events !== undefined && { eventTypes: listOrAll(events) }),
    ...(objects !== undefined && { objectIds: await idsOf(ctx, org, objects) }),
    ...(changed !== undefined && { changedAttributes: listOrAll(changed) }),
    ...(header !== undefined && { headers: header }),
    ...(rateLimit !== undefined && { rateLimit: rateLimit === 'none' ? null : rateLimit }),
  }
}

async function add(options: AddOptions): Promise<void> {
  const { createEndpoint, readSecret } = await service()
  const { id, secret } = await withCaller(options, async (ctx, caller) => {
    const body = checked(NewEndpoint, await fieldsOf(ctx, caller, options))
    const endpoint = await createEndpoint(ctx, { org: caller.org, userId: null }, body)
    return { id: endpoint.id, ...(await readSecret(ctx, caller.org, endpoint.id)) }
  })
  print(options, { id, secret }, () => [`Endpoint ${id} added.`, `Signing secret: ${secret}`])
}

const stateOf = ({ isEnabled, disabledReason, failingSince }: Endpoint) => {
  if (!isEnabled) return `disabled (${disabledReason})`
  return failingSince === null ? 'active' : `failing since ${failingSince}`
}

const row = (endpoint: Endpoint): string[] => [
  endpoint.id,
  endpoint.url,
  stateOf(endpoint),
  endpoint.eventTypes?.join(',') ?? 'all',
  String(endpoint.waiting),
  String(endpoint.stats.succeeded),
  String(endpoint.stats.failed),
  endpoint.description,
]

const HEADINGS = ['ID', 'URL', 'STATE', 'EVENTS', 'WAITING', 'OK 24H', 'FAILED 24H', 'DESCRIPTION']

async function list(options: OrgOptions): Promise<void> {
  const { listEndpoints } = await import('../server/webhooks/endpoints/reading.ts')
  const endpoints = await withCaller(options, (ctx, { org }) => listEndpoints(ctx, org))
  const empty = 'No endpoints yet: rapport webhooks endpoints add --help'
  print(options, endpoints, () => table(HEADINGS, endpoints.map(row), empty))
}

async function update(options: UpdateOptions): Promise<void> {
  const { patchEndpoint } = await service()
  const endpoint = await withCaller(options, async (ctx, caller) => {
    const patch = checked(EndpointPatch, {
      ...(await fieldsOf(ctx, caller, options)),
      ...(options.clearHeaders && { headers: [] }),
      ...((options.enable ?? options.disable) && { isEnabled: options.enable === true }),
    })
    if (Object.keys(patch).length === 0)
      throw new Error('There is nothing to change: choose an option, see --help')
    return patchEndpoint(ctx, caller.org, { endpointId: options.endpoint, patch })
  })
  print(options, endpoint, () => [`Endpoint ${endpoint.id} updated: ${stateOf(endpoint)}, ${endpoint.url}`])
}

async function remove(options: EndpointOptions & { yes?: true }): Promise<void> {
  const { endpoint: id, yes } = options
  if (!yes) throw new Error('This deletes the endpoint and its deliveries permanently: confirm with --yes')
  const { deleteEndpoint } = await service()
  await withCaller(options, (ctx, { org }) => deleteEndpoint(ctx, org, { endpointId: id }))
  print(options, { id, deleted: true }, () => [`Endpoint ${id} deleted.`])
}

function verdictOf({ eventType, attemptList: [attempt] }: DeliveryDetail): string {
  const ms = `${Math.round(attempt?.timings.totalMs ?? 0)} ms`
  if (attempt?.failure == null) return `${eventType}: responded with ${attempt?.response?.status} after ${ms}`
  return `${eventType}: ${attempt.message ?? attempt.failure} (${ms})`
}

async function testEndpoint(options: EndpointOptions & { event: string }): Promise<void> {
  const { sendTest } = await import('../server/webhooks/endpoints/test-send.ts')
  const delivery = await withCaller(options, (ctx, caller) => {
    const { type } = checked(TestSend, { type: options.event })
    return sendTest(ctx, caller, { endpointId: options.endpoint, type })
  })
  print(options, delivery, () => [verdictOf(delivery)])
  if (delivery.state !== 'succeeded') process.exitCode = 1
}

const ENDPOINT = ['--endpoint <id>', 'id of the endpoint'] as const

const withFields = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is for')
    .option('--events <list>', 'event types, separated by commas, or all')
    .option('--objects <list>', 'only record events of these objects (ids or slugs), or all')
    .option('--changed <list>', 'record.updated only when one of these attributes changed, or all')
    .option('--header <"Name: value">', 'sent with every request; may be given several times', collectHeader)
    .option('--rate-limit <number>', 'requests per second, or none', numberOrNone)

const addCommand = () =>
  withFields(
    orgCommand('add', 'Add an endpoint, and show its signing secret').requiredOption(
      '--url <url>',
      'where events are posted',
    ),
  )
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Examples:
  $ rapport webhooks endpoints add --org acme --url https://example.com/hooks
  $ rapport webhooks endpoints add --org acme --url https://example.com/hooks --events record.created,record.updated \\
      --objects deals --header "Authorization: Bearer s3cret" --rate-limit 20 --json`,
    )
    .action(add)

const listCommand = () =>
  orgCommand('list', 'List the endpoints of an organization')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport webhooks endpoints list --org acme')
    .action(list)

const updateCommand = () =>
  withFields(
    orgCommand('update', 'Change an endpoint; options that are not given stay as they are')
      .requiredOption(...ENDPOINT)
      .option('--url <url>', 'where events are posted'),
  )
    .addOption(new Option('--clear-headers', 'send no custom headers').conflicts('header'))
    .addOption(new Option('--enable', 'enable it, and deliver pending events').conflicts('disable'))
    .option('--disable', 'deliver nothing until it is enabled')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Examples:
  $ rapport webhooks endpoints update --org acme --endpoint 0198c0de-0000-7000-8000-000000000001 --events all --enable`,
    )
    .action(update)

const deleteCommand = () =>
  orgCommand('delete', 'Delete an endpoint permanently')
    .requiredOption(...ENDPOINT)
    .option('--yes', 'confirm the deletion')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nExamples:\n  $ rapport webhooks endpoints delete --org acme --endpoint 0198c0de-0000-7000-8000-000000000001 --yes',
    )
    .action(remove)

const testCommand = () =>
  orgCommand('test', 'Send an example event to an endpoint and show the response')
    .requiredOption(...ENDPOINT)
    .requiredOption('--event <type>', 'which one, such as record.created')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
The exit code is 1 when the endpoint does not accept it.

Examples:
  $ rapport webhooks endpoints test --org acme --endpoint 0198c0de-0000-7000-8000-000000000001 --event record.created`,
    )
    .action(testEndpoint)

export const endpointsCommand = (): Command =>
  new Command('endpoints')
    .description('Add, change, test and delete endpoints')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(updateCommand())
    .addCommand(deleteCommand())
    .addCommand(testCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport webhooks endpoints list --org acme')
