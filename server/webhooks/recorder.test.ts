// What a recorder does when the database does not take results at once.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import type { AttemptRow } from './attempts-store.ts'
import { createRecorder } from './recorder.ts'

const rowOf = (event: string): AttemptRow => ({
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

/** A database that refuses transactions; `refuse` is told the rows of each. */
function recording(refuse: (rows: AttemptRow[], nth: number) => Error | undefined) {
  const written: AttemptRow[][] = []
  let count = 0
  const run = async ({ values }: { values: unknown[] }) => {
    const text = values.find((value) => typeof value === 'string' && value.includes('requestHeaders'))
    if (typeof text !== 'string') return 0
    const rows: AttemptRow[] = JSON.parse(text)
    const error = refuse(rows, ++count)
    if (error) throw error
    written.push(rows)
    return rows.length
  }
  const tx = { run, many: async () => [] } as unknown as Db
  const db = { transaction: (work: (one: Db) => Promise<unknown>) => work(tx) } as unknown as Db
  const [now, onHopeless, onError] = [() => sql`now()`, () => undefined, () => undefined]
  const recorder = createRecorder({ db, now, onHopeless, onError, signal: new AbortController().signal })
  return { recorder, written }
}

const refused = (code: string) => Object.assign(new Error(code), { code })
const eventsOf = (rows: AttemptRow[]) => rows.map(({ event }) => event)

test.each([
  ['no connection', refused('ECONNREFUSED')],
  ['no connection free', new Error('timeout exceeded when trying to connect')],
  ['a server that stops', refused('57P01')],
])('%s: everything is written later, together and whole', async (_, error) => {
  const { recorder, written } = recording((_rows, nth) => (nth <= 2 ? error : undefined))
  await Promise.all(['a', 'b', 'c'].map((event) => recorder.record(rowOf(event))))
  expect(written).toEqual([[rowOf('a'), rowOf('b'), rowOf('c')]])
})

test('a row that is refused is kept without what came from outside, and the others whole', async () => {
  const { recorder, written } = recording((rows) =>
    rows.some(({ event, message }) => event === 'b' && message === 'said') ? refused('22P05') : undefined,
  )
  await Promise.all(['a', 'b', 'c'].map((event) => recorder.record(rowOf(event))))
  expect(written.map(eventsOf)).toEqual([['a'], ['b'], ['c']])
  expect(written[0]).toEqual([rowOf('a')])
  expect(written[1]).toMatchObject([{ responseBody: null, message: 'the answer could not be kept' }])
  expect(written[2]).toEqual([rowOf('c')])
})

test('says when so much waits that no more should be sent', async () => {
  const { recorder } = recording((_rows, nth) => (nth === 1 ? refused('ECONNREFUSED') : undefined))
  const recorded = Array.from({ length: 5000 }, (_, n) => recorder.record(rowOf(`${n}`)))
  expect(recorder.isBehind).toBe(true)
  await Promise.all(recorded)
  expect(recorder.isBehind).toBe(false)
})
