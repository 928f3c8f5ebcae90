import { getPriority } from 'node:os'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { TimeLimitError } from './lease.ts'
import { type Db, openPool, type Pool } from './pool.ts'
import { createShares, type ShareOf, SPARE_CONNECTIONS } from './shares.ts'

const { connection } = await createTestDatabase()
const PLACES = 4
let pool: Pool
beforeAll(() => {
  pool = openPool({
    connection,
    max: PLACES + SPARE_CONNECTIONS,
    lowPriorityMax: PLACES,
    statementTimeoutMs: 30_000,
    onError: () => undefined,
  })
})
afterAll(() => pool.close())

const sharesOf = (perKey: number, waitMs = 60_000) =>
  createShares(pool, { places: PLACES, perKey, sustained: perKey, waitMs, waitingMax: 1000 })

const ping = (db: Db) => db.one<{ n: number }>(sql`select 1 as n`)

/** A transaction that stays open until `end` is called. */
function open(db: Db) {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ended = db.transaction(async (tx) => {
    await ping(tx)
    begun.resolve()
    await end.promise
  })
  return { begun: begun.promise, end: end.resolve, ended }
}

describe('one organization', () => {
  test('uses no more than its share, so that others get connections', async () => {
    const shares = sharesOf(2)
    const held = [1, 2].map(() => open(shares.of(1, 'request')))
    await Promise.all(held.map(({ begun }) => begun))
    const third = ping(shares.of(1, 'request'))
    expect(await ping(shares.of(2, 'request'))).toEqual({ n: 1 })
    expect(shares.usage).toEqual({ taken: 2, waiting: 1 })
    for (const { end } of held) end()
    expect(await third).toEqual({ n: 1 })
    await Promise.all(held.map(({ ended }) => ended))
    expect(shares.usage).toEqual({ taken: 0, waiting: 0 })
  })

  test('is refused with 429 and its limit after the wait', async () => {
    const shares = sharesOf(1, 5)
    const held = open(shares.of(1, 'request'))
    await held.begun
    await expect(ping(shares.of(1, 'request'))).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /only 1 can use the database at a time.*DATABASE_CONNECTIONS_PER_ORGANIZATION/,
      ),
      details: { retryAfter: expect.any(Number) },
    })
    held.end()
    await held.ended
  })

  test('is refused with 503 when others hold all connections', async () => {
    const shares = sharesOf(1, 5)
    const held = [1, 2, 3, 4].map((org) => open(shares.of(org, 'request')))
    await Promise.all(held.map(({ begun }) => begun))
    await expect(ping(shares.of(5, 'request'))).rejects.toMatchObject({ code: 'unavailable' })
    const patient = ping(shares.of(5, 'background'))
    for (const { end, ended } of held) {
      end()
      await ended
    }
    expect(await patient).toEqual({ n: 1 })
  })
})

describe('a transaction that requests a second connection', () => {
  test('gets it while all places are in use, also when all transactions request one', async () => {
    const shares = sharesOf(PLACES)
    const barrier = Promise.withResolvers<void>()
    let inside = 0
    const nested = () => {
      const db = shares.of(1, 'request')
      return db.transaction(async (tx) => {
        await ping(tx)
        if (++inside === PLACES) barrier.resolve()
        await barrier.promise
        return ping(db)
      })
    }
    const all = await Promise.all(Array.from({ length: PLACES }, nested))
    expect(all).toEqual(all.map(() => ({ n: 1 })))
    expect(shares.usage).toEqual({ taken: 0, waiting: 0 })
  })

  test('gets no precedence for requests after its end: they wait in the queue', async () => {
    const shares = sharesOf(1)
    const db = shares.of(1, 'request')
    let later: (() => Promise<unknown>) | undefined
    await db.transaction(async (tx) => {
      await ping(tx)
      const { promise, resolve } = Promise.withResolvers<void>()
      const then = promise.then(() => ping(db))
      later = () => {
        resolve()
        return then
      }
    })
    const held = open(db)
    await held.begun
    const waiting = later?.()
    await ping(pool)
    expect(shares.usage.waiting).toBe(1)
    held.end()
    await Promise.all([waiting, held.ended])
  })
})

interface Use {
  key: number
  depth: number
  fails: boolean
}

const uses = fc.array(
  fc.record<Use>({
    key: fc.integer({ min: 1, max: 3 }),
    depth: fc.integer({ min: 0, max: 3 }),
    fails: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
)

/** Transactions within transactions, each on a separate connection. */
async function nest(dbOf: (key: ShareOf) => Db, { key, depth, fails }: Use): Promise<void> {
  const db = dbOf(key)
  if (depth === 0) return void (await ping(db))
  await db.transaction(async (tx) => {
    await ping(tx)
    await nest(dbOf, { key, depth: depth - 1, fails })
    if (fails) throw new Error('undone')
  })
}

test('nested requests in any order all end, and release every connection', async () => {
  await fc.assert(
    fc.asyncProperty(uses, fc.integer({ min: 1, max: PLACES }), async (plan, perKey) => {
      const shares = sharesOf(perKey)
      const results = await Promise.allSettled(
        plan.map((use) => nest((key) => shares.of(key, 'background'), use)),
      )
      for (const [index, result] of results.entries()) {
        const { depth = 0, fails } = plan[index] ?? {}
        // Only the third connection of a use may be refused.
        const expected = fails && depth > 0 ? /undone|in use/ : /in use/
        if (result.status === 'rejected') expect(String(result.reason)).toMatch(expected)
        if (depth < 2) expect(result.status).toBe(fails && depth > 0 ? 'rejected' : 'fulfilled')
      }
      expect(shares.usage).toEqual({ taken: 0, waiting: 0 })
    }),
    { numRuns: 40 },
  )
  expect(pool.usage.total - pool.usage.idle).toBe(0)
})

describe('an organization that keeps connections busy for a long time', () => {
  const pidOf = (db: Db) => db.value<number>(sql`select pg_backend_pid() as pid`)

  /** Organization 1 has used three connections for 10 s, organization 2 one connection just now. */
  async function shared(waitMs = 60_000) {
    let now = 0
    const shares = createShares(pool, {
      ...{ places: PLACES, perKey: 3, sustained: 1, waitMs, waitingMax: 1000 },
      now: () => now,
    })
    const held = [1, 2, 3].map(() => open(shares.of(1, 'request')))
    await Promise.all(held.map(({ begun }) => begun))
    now += 10_000
    await ping(shares.of(2, 'request'))
    for (const { end } of held) end()
    await Promise.all(held.map(({ ended }) => ended))
    return { shares, advance: (ms: number) => (now += ms) }
  }

  test('gets fewer connections while others use the database, and the usual number otherwise', async () => {
    const { shares, advance } = await shared()
    const held = open(shares.of(1, 'request'))
    await held.begun
    const second = ping(shares.of(1, 'request'))
    expect(shares.usage).toEqual({ taken: 1, waiting: 1 })
    held.end()
    await Promise.all([held.ended, second])
    advance(60_000)
    const free = [1, 2, 3].map(() => open(shares.of(1, 'request')))
    await Promise.all(free.map(({ begun }) => begun))
    expect(shares.usage).toEqual({ taken: 3, waiting: 0 })
    for (const { end } of free) end()
    await Promise.all(free.map(({ ended }) => ended))
  })

  test('is refused when its requests wait for too long', async () => {
    const { shares } = await shared(5)
    const held = open(shares.of(1, 'request'))
    await held.begun
    await expect(ping(shares.of(1, 'request'))).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/1 of its requests.*DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION/),
    })
    held.end()
    await held.ended
  })

  // With a pooler the processes of sessions are not known.
  test.skipIf(connection.isPooled)('gets sessions with a low processor priority', async () => {
    const { shares } = await shared()
    const low = await pidOf(shares.of(1, 'request'))
    await expect.poll(() => getPriority(low)).toBe(10)
    expect(getPriority(await pidOf(shares.of(2, 'request')))).toBe(getPriority())
    expect(await pidOf(pool.behind(shares.outside(1)))).toBe(low)
  })
})

test('a session is reused after a cancellation, and no later statement is cancelled', async () => {
  const one = openPool({ connection, max: 1, statementTimeoutMs: 30_000, onError: () => undefined })
  const pid = () => one.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const first = await pid()
  // The statements take about as long as the limit: cancellations arrive before, during and after their end.
  for (let times = 0; times < 40; times++) {
    const read = one.within(5, (db) => db.many(sql`select pg_sleep(${0.003 + times / 10_000}::float8)::text`))
    await read.catch((error) => expect(error).toBeInstanceOf(TimeLimitError))
    expect(await pid()).toEqual(first)
  }
  await one.close()
})

describe('within', () => {
  const sleep = (seconds: number) => sql`select pg_sleep(${seconds}::float8)::text as slept`

  const reads: [string, (db: Db) => Promise<unknown>][] = [
    ['a statement', (db) => db.many(sleep(20))],
    [
      'a snapshot of several statements',
      (db) =>
        db.snapshot(async (tx) => {
          for (let part = 0; part < 100; part++) await tx.many(sleep(0.2))
        }),
    ],
  ]

  test.each(reads)('cancels %s after the time limit', async (_, read) => {
    await expect(pool.within(50, read)).rejects.toBeInstanceOf(TimeLimitError)
    const left = await pool.many(sql`
      select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%'
        and pid <> pg_backend_pid()`)
    expect(left).toEqual([])
  })

  test('cancels a read in a transaction, which continues', async () => {
    const timeout = sql`select current_setting('statement_timeout') as limit`
    const after = await pool.transaction(async (tx) => {
      await expect(tx.within(50, (inner) => inner.many(sleep(20)))).rejects.toBeInstanceOf(TimeLimitError)
      expect(await tx.within(5000, ping)).toEqual({ n: 1 })
      return tx.one(timeout)
    })
    expect(after).toEqual({ limit: '30s' })
  })

  test('returns results within the limit, and passes on other errors', async () => {
    expect(await pool.within(5000, ping)).toEqual({ n: 1 })
    await expect(pool.within(5000, (db) => db.many(sql`select 1 / 0`))).rejects.toThrow('division by zero')
  })
})
