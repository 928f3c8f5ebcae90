import sql from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { type FaultProxy, startFaultProxy, through } from '../test/faults/proxy.ts'
import { openPool, type Pool, type PoolOptions } from './pool.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const { pool: direct, connection } = await createTestDatabase()
await direct.run(sql`create table things (n int primary key)`)

const SILENCE_MS = 300
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openProxied(options: Partial<PoolOptions> = {}): Promise<{ proxy: FaultProxy; pool: Pool }> {
  const proxy = await startFaultProxy(connection)
  const pool = openPool({
    connection: through(proxy, connection),
    max: 3,
    statementTimeoutMs: 30_000,
    silenceMs: SILENCE_MS,
    // A failed statement must not run again on another connection.
    retries: false,
    onError: () => undefined,
    ...options,
  })
  closing.push(
    () => proxy.close(),
    () => pool.close(),
  )
  return { proxy, pool }
}

const sleep = (seconds: number) => sql`select pg_sleep(${seconds})::text as slept`
const answer = (pool: Pool) => pool.one<{ n: number }>(sql`select 1 as n`)
/** Opens as many connections as the pool may have. */
const fill = (pool: Pool) => Promise.all([1, 2, 3].map(() => pool.many(sleep(0.05))))
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('half-open connections are replaced, and their statements fail as with an unavailable database', async () => {
  const { proxy, pool } = await openProxied()
  await fill(pool)
  proxy.cut()
  const reasons = await Promise.all([1, 2, 3].map(() => reasonOf(answer(pool))))
  expect(reasons.map(isDatabaseUnavailable)).toEqual([true, true, true])
  expect(await answer(pool)).toEqual({ n: 1 })
})

test('the idle connections are destroyed with a dead one', async () => {
  const { proxy, pool } = await openProxied()
  await fill(pool)
  proxy.cut()
  expect(await reasonOf(answer(pool))).toBeInstanceOf(Error)
  // Without that, each of the other two would delay another request.
  expect(await answer(pool)).toEqual({ n: 1 })
  expect(pool.usage.total).toBe(1)
})

test('a long statement is waited for while the server works on it', async () => {
  const { pool } = await openProxied()
  expect(await pool.many(sleep(4 * (SILENCE_MS / 1000)))).toEqual([{ slept: '' }])
})

test('locks of a session whose client disconnected are released, and nothing of its transaction is kept', async () => {
  const { proxy, pool } = await openProxied()
  const reason = await reasonOf(
    pool.transaction(async (tx) => {
      await tx.run(sql`insert into things values (1)`)
      proxy.cut()
      await tx.run(sql`insert into things values (2)`)
    }),
  )
  expect(isDatabaseUnavailable(reason)).toBe(true)
  await direct.run(sql`insert into things values (1)`)
  expect(await direct.many(sql`select n from things`)).toEqual([{ n: 1 }])
})

test('a statement fails while the server is silent, and the next one succeeds when it answers again', async () => {
  const { proxy, pool } = await openProxied()
  await fill(pool)
  proxy.hold()
  expect(isDatabaseUnavailable(await reasonOf(answer(pool)))).toBe(true)
  proxy.release()
  expect(await answer(pool)).toEqual({ n: 1 })
})

test('a statement fails after the limit for answers, unless its transaction may take any time', async () => {
  const { pool } = await openProxied({ answerTimeoutMs: 3 * SILENCE_MS })
  expect(isDatabaseUnavailable(await reasonOf(pool.many(sleep(30))))).toBe(true)
  await pool.transaction(async (tx) => {
    await tx.takeAnyTime()
    expect(await tx.many(sleep(5 * (SILENCE_MS / 1000)))).toEqual([{ slept: '' }])
  })
})

test('reset connections fail immediately and are replaced', async () => {
  const { proxy, pool } = await openProxied()
  await fill(pool)
  const sleeping = reasonOf(pool.many(sleep(30)))
  await expect.poll(() => pool.usage.total - pool.usage.idle).toBe(1)
  proxy.reset()
  expect(isDatabaseUnavailable(await sleeping)).toBe(true)
  // Idle connections receive the reset too.
  await expect.poll(() => pool.usage.total).toBe(0)
  expect(await answer(pool)).toEqual({ n: 1 })
})
