import sql from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { startFaultProxy, through } from '../test/faults/proxy.ts'
import { openPool } from './pool.ts'
import { CutOffError, createScope, mayChange } from './scope.ts'

const { pool: direct, connection } = await createTestDatabase()
await direct.run(sql`create table things (n int primary key)`)

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await direct.run(sql`truncate things`)
})

async function open() {
  const proxy = await startFaultProxy(connection)
  const pool = openPool({
    ...{ connection: through(proxy, connection), max: 2, statementTimeoutMs: 30_000, silenceMs: 300 },
    onError: () => undefined,
  })
  closing.push(
    () => proxy.close(),
    () => pool.close(),
  )
  const scope = createScope()
  return { proxy, pool, scope, db: pool.inScope(scope) }
}

const insert = (n: number) => sql`insert into things values (${n})`
const things = () => direct.many<{ n: number }>(sql`select n from things order by n`)
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('mayHaveCommitted is set after a change, not after a read', async () => {
  const { scope, db } = await open()
  await db.many(sql`select n from things`)
  expect(scope.mayHaveCommitted).toBe(false)
  await db.run(insert(1))
  expect(scope.mayHaveCommitted).toBe(true)
})

test('mayHaveCommitted stays false after a refused change', async () => {
  const { scope, db } = await open()
  await direct.run(insert(1))
  expect(await reasonOf(db.run(insert(1)))).toMatchObject({ code: '23505' })
  expect(await reasonOf(db.transaction((tx) => tx.run(insert(1))))).toMatchObject({ code: '23505' })
  expect(scope.mayHaveCommitted).toBe(false)
})

test('a running statement is cancelled and undone when its request is cut off', async () => {
  const { scope, db } = await open()
  const running = reasonOf(db.run(sql`insert into things select 1 from pg_sleep(30)`))
  await expect
    .poll(() =>
      direct.many(
        sql`select 1 from pg_stat_activity where query like 'insert into things select%' and state = 'active' and pid <> pg_backend_pid()`,
      ),
    )
    .toHaveLength(1)
  scope.cut()
  expect(await running).toMatchObject({ code: '57014' })
  expect(scope.mayHaveCommitted).toBe(false)
  expect(await things()).toEqual([])
})

test('a transaction that is cut off between two statements is rolled back', async () => {
  const { scope, db } = await open()
  const reason = await reasonOf(
    db.transaction(async (tx) => {
      await tx.run(insert(1))
      scope.cut()
      await tx.run(insert(2))
    }),
  )
  expect(reason).toBeInstanceOf(CutOffError)
  expect(scope.mayHaveCommitted).toBe(false)
  expect(await things()).toEqual([])
})

test('mayHaveCommitted is set after a change without an answer', async () => {
  const { proxy, scope, db } = await open()
  await db.many(sql`select 1`)
  proxy.cut()
  expect(await reasonOf(db.run(insert(1)))).toBeInstanceOf(Error)
  // With a pooler the change was not sent: its transaction had not begun.
  expect(scope.mayHaveCommitted).toBe(!connection.isPooled)
})

test('mayHaveCommitted is set after a commit without an answer', async () => {
  const { proxy, scope, db } = await open()
  const reason = await reasonOf(
    db.transaction(async (tx) => {
      await tx.run(insert(1))
      proxy.cut()
    }),
  )
  expect(reason).toBeInstanceOf(Error)
  expect(scope.mayHaveCommitted).toBe(true)
})

test('no statement is sent after the request was cut off', async () => {
  const { scope, db } = await open()
  scope.cut()
  expect(await reasonOf(db.run(insert(1)))).toBeInstanceOf(CutOffError)
  expect(await things()).toEqual([])
})

test.each([
  ['select n from things', false],
  ['with removed as (delete from things returning n) select n from removed', true],
  ['select n from things for update', true],
  ['select updated_at from things', false],
])('%s may change something: %s', (text, changes) => {
  expect(mayChange(text)).toBe(changes)
})
