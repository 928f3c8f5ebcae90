import sql, { raw } from 'sql-template-tag'
import { describe, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { withClient } from './database.ts'
import { type Db, errorCode, isoTimestamp, openPool } from './pool.ts'

const { pool, connection } = await createTestDatabase()
await pool.run(sql`create table numbers (n int primary key)`)

const insert = (db: Db, n: number) => db.run(sql`insert into numbers values (${n})`)
const all = async () =>
  (await pool.many<{ n: number }>(sql`select n from numbers order by n`)).map(({ n }) => n)

describe('transaction', () => {
  test('writes all of its changes or none', async () => {
    await pool.transaction((tx) => insert(tx, 1))
    await expect(
      pool.transaction(async (tx) => {
        await insert(tx, 2)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await all()).toEqual([1])
  })

  test('inside another is rolled back without the outer one', async () => {
    await pool.transaction(async (tx) => {
      await insert(tx, 3)
      await tx
        .transaction((inner) => insert(inner, 1))
        .catch((error) => expect(errorCode(error)).toBe('23505'))
      await tx.attempt((inner) => insert(inner, 3)).catch((error) => expect(errorCode(error)).toBe('23505'))
      await insert(tx, 4)
    })
    expect(await all()).toEqual([1, 3, 4])
  })

  test('of several commands in one text can run repeatedly', async () => {
    const both = raw('insert into numbers values (11); insert into numbers values (12)')
    for (let times = 0; times < 3; times++) {
      await pool.run(both)
      await pool.run(sql`delete from numbers where n in (11, 12)`)
    }
  })

  test('that loses a deadlock runs again', async () => {
    await pool.run(sql`insert into numbers values (100), (200)`)
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    let runs = 0
    const lock = (tx: Db, n: number) => tx.run(sql`update numbers set n = n where n = ${n}`)
    const cross = (
      mine: number,
      theirs: number,
      [done, other]: [PromiseWithResolvers<void>, PromiseWithResolvers<void>],
    ) =>
      pool.transaction(async (tx) => {
        runs++
        await lock(tx, mine)
        done.resolve()
        await other.promise
        await lock(tx, theirs)
      })
    await Promise.all([cross(100, 200, [first, second]), cross(200, 100, [second, first])])
    expect(runs).toBeGreaterThan(2)
  })

  test('of a single statement that loses a deadlock runs again', async () => {
    const lock = (key: number) => sql`pg_advisory_xact_lock(${key}::int)`
    const locks = (key: number, isGranted: boolean) => () =>
      pool.value<number>(
        sql`select count(*)::int from pg_locks where objid = ${key}::int and granted = ${isGranted}`,
      )
    const waiting = (key: number) => locks(key, false)
    await pool.run(sql`create sequence runs`)
    // Only a superuser may set deadlock_timeout, so that PostgreSQL ends the other transaction of the two.
    await withClient({ ...inject('postgres'), database: connection.database }, async (other) => {
      await other.query(`begin; set local deadlock_timeout = '1h'; select pg_advisory_xact_lock(71002)`)
      const gate = Promise.withResolvers<void>()
      const closed = pool.transaction(async (tx) => {
        await tx.run(sql`select ${lock(71003)}`)
        await gate.promise
      })
      await expect.poll(locks(71003, true)).toBe(1)
      const lost = pool.value(sql`
        select nextval('runs')::int as n, ${lock(71001)}, ${lock(71003)}, ${lock(71002)}`)
      await expect.poll(waiting(71003)).toBe(1)
      const crossing = other.query('select pg_advisory_xact_lock(71001)')
      await expect.poll(waiting(71001)).toBe(1)
      gate.resolve()
      await closed
      await crossing
      await other.query('commit')
      expect(await lost).toBe(2)
    })
  })

  test('that ignores an error of a statement is rolled back, and throws', async () => {
    const passing = pool.transaction(async (tx) => {
      await insert(tx, 300)
      await insert(tx, 300).catch(() => undefined)
    })
    await expect(passing).rejects.toThrow('The transaction was rolled back')
    expect(await all()).not.toContain(300)
  })

  test('whose connection breaks fails, and the pool stays usable', async () => {
    await expect(
      pool.transaction((tx) => tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)),
    ).rejects.toThrow(/terminat/i)
    expect(await all()).toContain(1)
  })
})

test('statements return right results when prepared, and above the limit of prepared statements', async () => {
  for (let round = 0; round < 3; round++)
    for (let n = 0; n < 450; n++) {
      const row = await pool.one<{ sum: number }>(sql`select ${round}::int + ${raw(String(n))} as sum`)
      expect(row.sum).toBe(round + n)
    }
})

test.each([
  ['2026-11-20 10:00:00+00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00:00.1+00', '2026-11-20T10:00:00.100Z'],
  ['2026-11-20 10:00:00.123456+00', '2026-11-20T10:00:00.123Z'],
])('%s is returned as %s', (text, iso) => {
  expect(isoTimestamp(text)).toBe(iso)
})

test('a statement without an answer fails after the limit, and the next one uses a new connection', async () => {
  const options = { connection, max: 1, statementTimeoutMs: 30_000, answerTimeoutMs: 300 }
  const hasty = openPool({ ...options, onError: () => undefined })
  await expect(hasty.run(sql`select pg_sleep(5)`)).rejects.toThrow('did not respond')
  expect(await hasty.one(sql`select 1 as n`)).toEqual({ n: 1 })
  await hasty.close()
})
