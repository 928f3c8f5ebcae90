import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { createScope } from './scope.ts'
import { WRITER } from './writer.ts'

// The tests use isPooled with and without a pooler: settings apply per transaction in both cases.
const { connection, pool: other } = await createTestDatabase()
await other.run(sql`create table things (n int primary key)`)
const open = (more: Partial<PoolOptions> = {}) => {
  const pool = openPool({
    connection: { ...connection, isPooled: true },
    ...{ max: 2, statementTimeoutMs: 20_000, onError: () => undefined },
    ...more,
  })
  onTestFinished(() => pool.close())
  return pool
}

const SETTINGS = sql`
  select current_setting('timezone') as zone, current_setting('jit') as jit,
    current_setting('rapport.writer', true) as writer, current_setting('statement_timeout') as timeout,
    current_setting('enable_seqscan') as scan`
const EXPECTED = { zone: 'UTC', jit: 'off', writer: String(WRITER), timeout: '20s', scan: 'off' }

test('settings apply to each statement and transaction, not to the session', async () => {
  const pool = open({ settings: { enable_seqscan: 'off' } })
  expect(await pool.one(SETTINGS)).toEqual(EXPECTED)
  expect(await pool.transaction((tx) => tx.one(SETTINGS))).toEqual(EXPECTED)
  expect(await pool.snapshot((tx) => tx.one(SETTINGS))).toEqual(EXPECTED)
  const client = await pool.connect()
  const { rows } = await client.query(`select current_setting('enable_seqscan') as scan`)
  client.release()
  expect(rows).toEqual([{ scan: 'on' }])
})

test('a read-only pool refuses writes', async () => {
  const pool = open({ settings: { default_transaction_read_only: 'on' } })
  const insert = sql`insert into things values (4)`
  const readOnly = { code: '25006' }
  await expect(pool.run(insert)).rejects.toMatchObject(readOnly)
  await expect(pool.transaction((tx) => tx.run(insert))).rejects.toMatchObject(readOnly)
})

test('a single statement is committed, and rolled back when it fails', async () => {
  const pool = open()
  expect(await pool.run(sql`insert into things values (1)`)).toBe(1)
  await expect(pool.run(sql`insert into things values (2), (1)`)).rejects.toMatchObject({ code: '23505' })
  expect(await other.many(sql`select n from things`)).toEqual([{ n: 1 }])
})

test('a statement is cancelled immediately when its request is cut off', async () => {
  const scope = createScope()
  const startedAt = performance.now()
  const running = open().inScope(scope).run(sql`insert into things select 3 from pg_sleep(15)`)
  const reason = running.catch((error: unknown) => error)
  const sleeping = sql`select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
  await expect.poll(() => other.value(sleeping)).toBe(1)
  scope.cut()
  expect(await reason).toMatchObject({ code: '57014' })
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(scope.mayHaveCommitted).toBe(false)
})

test('reads are cancelled after their time limit', async () => {
  const pool = open()
  await expect(pool.within(200, (db) => db.run(sql`select pg_sleep(15)`))).rejects.toThrow(
    'longer than 200 ms',
  )
  expect(await pool.value(sql`select 1 as n`)).toBe(1)
})
