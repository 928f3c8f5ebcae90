// The attempt writer when the database rejects results or is unavailable.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { insertDelivery, insertEndpoint } from '../endpoint.fixture.ts'
import { type AttemptWriter, createAttemptWriter, statisticsOf, stepOf } from './attempt-writer.ts'
import type { NewAttemptRow } from './attempts-store.ts'

const rowOf = (event: string): NewAttemptRow => ({
  ...{
    org: 1,
    endpoint: 'endpoint',
    event,
    attempt: 1,
    trigger: 'event',
    startedAt: 0,
    url: 'https://example.com',
  },
  ...{ requestHeaders: { a: 'b' }, ip: null, status: 500, responseHeaders: {}, responseBody: 'Zm9v' },
  ...{ isTruncated: false, failure: null, message: 'said', dnsMs: null, connectMs: null, tlsMs: null },
  ...{
    firstByteMs: null,
    durationMs: 1,
    state: 'succeeded',
    tries: 0,
    nextInMs: null,
    type: 'record.created',
    giveUpInMs: 1,
  },
})

/** A writer whose database can reject statements. `refuse` gets the rows of each. */
function writerWith(refuse: (rows: NewAttemptRow[], nth: number) => Error | undefined) {
  const written: NewAttemptRow[][] = []
  let count = 0
  const run = async ({ values }: { values: unknown[] }) => {
    const text = values.find((value) => typeof value === 'string' && value.includes('requestHeaders'))
    if (typeof text !== 'string') return 0
    const rows: NewAttemptRow[] = JSON.parse(text)
    const error = refuse(rows, ++count)
    if (error) throw error
    written.push(rows)
    return rows.length
  }
  const tx = { run, many: async () => [] } as unknown as Db
  const inTx = (work: (one: Db) => Promise<unknown>) => work(tx)
  const db = { transaction: inTx, attempt: inTx } as unknown as Db
  const [now, onFailing, onError] = [() => sql`now()`, () => undefined, () => undefined]
  const writer = createAttemptWriter({ db, now, onFailing, onError, signal: new AbortController().signal })
  return { writer, written }
}

const refused = (code: string) => Object.assign(new Error(code), { code })
const eventsOf = (rows: NewAttemptRow[]) => rows.map(({ event }) => event)

test.each([
  ['no connection', refused('ECONNREFUSED')],
  ['no connection free', new Error('timeout exceeded when trying to connect')],
  ['a server that stops', refused('57P01')],
])('%s: all rows are written together later, unchanged', async (_, error) => {
  const { writer, written } = writerWith((_rows, nth) => (nth <= 2 ? error : undefined))
  await Promise.all(['a', 'b', 'c'].map((event) => writer.write(rowOf(event))))
  expect(written).toEqual([[rowOf('a'), rowOf('b'), rowOf('c')]])
})

test('a rejected row is written without text from the receiver, and the others unchanged', async () => {
  const { writer, written } = writerWith((rows) =>
    rows.some(({ event, message }) => event === 'b' && message === 'said') ? refused('22P05') : undefined,
  )
  await Promise.all(['a', 'b', 'c'].map((event) => writer.write(rowOf(event))))
  expect(written.map(eventsOf)).toEqual([['a'], ['b'], ['c']])
  expect(written[0]).toEqual([rowOf('a')])
  expect(written[1]).toMatchObject([{ responseBody: null, message: 'the response could not be stored' }])
  expect(written[2]).toEqual([rowOf('c')])
})

test('is behind while too many rows wait', async () => {
  const { writer } = writerWith((_rows, nth) => (nth === 1 ? refused('ECONNREFUSED') : undefined))
  const writes = Array.from({ length: 5000 }, (_, n) => writer.write(rowOf(`${n}`)))
  expect(writer.isBehind).toBe(true)
  await Promise.all(writes)
  expect(writer.isBehind).toBe(false)
})

test('two results of one delivery, from two workers after a lost lease, are both written', async () => {
  const { ctx, org } = await buildTestService()
  const hook = await insertEndpoint(ctx, (await org()).org)
  const event = await insertDelivery(ctx, hook, { state: 'pending' })
  const errors: unknown[] = []
  const writer: AttemptWriter = createAttemptWriter({
    ...{ db: ctx.db, now: () => sql`now()`, onFailing: () => undefined },
    ...{ onError: (error: unknown) => errors.push(error), signal: AbortSignal.timeout(3000) },
  })
  const row = { ...rowOf(event), ...hook, attempt: 4, tries: 4, giveUpInMs: 60_000 }
  await Promise.all([writer.write({ ...row, status: 200 }), writer.write({ ...row, status: 202 })])
  expect(errors).toEqual([])
  const delivery = await ctx.db.one(sql`
    select state, attempts, last_status from webhook_deliveries where event = ${event}`)
  expect(delivery).toEqual({ state: 'succeeded', attempts: 4, last_status: 200 })
})

test.each([
  [0, 0],
  [10, 0],
  [10.1, 1],
  [10_000, LATENCY_STEPS_MS.length - 1],
  [10_001, LATENCY_STEPS_MS.length],
])('%d ms are in step %d', (durationMs, step) => {
  expect(stepOf(durationMs)).toBe(step)
})

test('attempts are counted by endpoint', () => {
  const row = { org: 1, endpoint: 'a', failure: null, durationMs: 20 }
  const rows = [
    row,
    { ...row, failure: 'status', durationMs: 20_000 },
    { ...row, endpoint: 'b', durationMs: 3 },
    row,
  ]
  expect(statisticsOf(rows)).toEqual([
    { org: 1, endpoint: 'a', succeeded: 2, failed: 1, latency: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { org: 1, endpoint: 'b', succeeded: 1, failed: 0, latency: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  ])
})
