import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import type { EventType } from '../contract/events.ts'
import { newId } from '../server/base/id.ts'
import { recordEvent } from '../server/events/outbox.ts'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { type Receiver, startReceiver } from '../server/test/receiver.ts'
import { MAIN } from './cli.fixture.ts'
import { listenCommand } from './listen.ts'

// The base64 of 32 zeros.
const SECRET = `whsec_${'A'.repeat(43)}=`

const { pool, connection } = await createTestDatabase()
const DATABASE_URL = testDatabaseUrl(connection.database)

const { org } = await pool.one<{ org: number }>(
  sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'Acme', 'acme') returning org`,
)

async function write(type: EventType = 'record.created'): Promise<string> {
  const subject = newId()
  await recordEvent(pool, { org, userId: null, keyId: null }, { type, subject, data: { name: 'Zoë' } })
  return subject
}

/** Delays events that are written during the transaction, as every open transaction does. @returns its end */
async function openTransaction(): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return async () => {
    await client.query('commit')
    client.release()
  }
}

interface Listener {
  child: ChildProcessByStdio<null, Readable, Readable>
  /** The next printed line, or "the end". */
  line(): Promise<string>
  ended: Promise<{ code: number; stderr: string }>
  stop(): Listener['ended']
}

const running: Listener['child'][] = []
const receivers: Receiver[] = []
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

function listen(...args: string[]): Listener {
  const env = { ...CHILD_ENVIRONMENT, DATABASE_URL }
  const child = spawn(process.execPath, [MAIN, 'listen', '--org', 'acme', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stderr = text(child.stderr)
  const ended = once(child, 'exit').then(async ([code]) => ({ code, stderr: await stderr }))
  return {
    child,
    line: async () => (await lines.next()).value ?? 'the end',
    ended,
    stop() {
      child.kill('SIGINT')
      return ended
    },
  }
}

test('forwards new events in order, with signatures', async () => {
  const endTransaction = await openTransaction()
  await write()
  const receiver = await receive()
  const listener = listen('--forward-to', `${receiver.url}/hooks?from=crm`)
  const [, secret = ''] = /^Signing secret: (whsec_.{44})$/.exec(await listener.line()) ?? []
  expect(await listener.line()).toBe(
    `Events of acme from now on go to ${receiver.url}/hooks?from=crm. Stop with Ctrl-C.`,
  )
  await endTransaction()
  const subjects = [await write(), await write('record.deleted'), await write()]
  await receiver.received(3)
  const bodies = receiver.requests.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  ) as { id: string; recordId: string }[]
  expect(bodies.map(({ recordId }) => recordId)).toEqual(subjects)
  expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hooks?from=crm' })
  const lines = [await listener.line(), await listener.line(), await listener.line()]
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}record\.deleted {6}\S{36} {2}200 {2}\d+ ms$/)
  expect(lines.map((line) => line.split(/ +/)[2])).toEqual(bodies.map(({ id }) => id))
  expect(await listener.stop()).toEqual({ code: 0, stderr: '' })
  expect(await listener.line()).toBe('3 events forwarded, 0 failed')
})

test('reports a failed event once, and continues with the next event', async () => {
  const receiver = await receive()
  receiver.answer((_, count) => (count === 1 ? { status: 500 } : { kind: 'reset' }))
  const listener = listen('--forward-to', receiver.url, '--secret', SECRET, '--json')
  expect(JSON.parse(await listener.line())).toMatchObject({ secret: SECRET, forwardTo: receiver.url })
  await write()
  expect(JSON.parse(await listener.line())).toEqual({
    time: expect.any(String),
    type: 'record.created',
    id: receiver.requests[0]?.headers['webhook-id'],
    status: 500,
    ms: expect.any(Number),
    failure: 'status',
    message: 'responded with 500 Internal Server Error: check the receiver’s log',
  })
  await write()
  expect(JSON.parse(await listener.line())).toMatchObject({ status: null, failure: 'reset' })
  await receivers.pop()?.close()
  await write()
  expect(JSON.parse(await listener.line())).toMatchObject({ status: null, failure: 'refused' })
  expect(await listener.stop()).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(await listener.line())).toEqual({ forwarded: 0, failed: 3, interrupted: false })
})

test('--events forwards only events of these types', async () => {
  const receiver = await receive()
  const listener = listen('--forward-to', receiver.url, '--events', 'record.deleted', '--json')
  expect(JSON.parse(await listener.line())).toMatchObject({ types: ['record.deleted'] })
  await write()
  const subject = await write('record.deleted')
  await receiver.received(1)
  expect(JSON.parse(String(receiver.requests[0]?.body))).toMatchObject({ recordId: subject })
})

test('Ctrl-C ends the command while a receiver does not respond', async () => {
  const receiver = await receive()
  receiver.answer({ kind: 'never' })
  const listener = listen('--forward-to', receiver.url, '--json')
  await listener.line()
  await write()
  await receiver.received(1)
  expect(await listener.stop()).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(await listener.line())).toEqual({ forwarded: 0, failed: 0, interrupted: true })
})

test('the command ends without an error when its reader has ended', async () => {
  const receiver = await receive()
  const listener = listen('--forward-to', receiver.url)
  await listener.line()
  listener.child.stdout.destroy()
  await write()
  expect(await listener.ended).toEqual({ code: 0, stderr: '' })
})

test.each([
  [['--events', 'record.eaten'], /^rapport: events: "record\.eaten" is not an event type: use record\./],
  [['--secret', 'hunter2'], /^rapport: --secret must be whsec_ followed by .*\n$/],
  [['--forward-to', 'ftp://localhost/'], /^rapport: --forward-to: .*\n$/],
  [['--org', 'missing'], /^rapport: No organization has the id or slug "missing": see rapport org list\n$/],
])('%s is refused in one line', async (args, message) => {
  const { line, ended } = listen('--forward-to', 'http://localhost:4000/hooks', ...args)
  const { code, stderr } = await ended
  expect({ code, line: await line() }).toEqual({ code: 1, line: 'the end' })
  expect(stderr).toMatch(message)
})

test('the help shows examples', () => {
  let help = ''
  const writeOut = (piece: string) => {
    help += piece
  }
  listenCommand().configureOutput({ writeOut }).outputHelp()
  expect(help).toContain('Examples:\n  $ ')
})
