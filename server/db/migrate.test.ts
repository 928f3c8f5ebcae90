import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from '../test/database.ts'
import { type Blocker, migrate, patienceOf, pendingMigrations } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import type { Db } from './pool.ts'
import { CHECKSUM_BEFORE_BASELINE } from './schema-state.ts'

const { pool } = await createTestDatabase()
const { pool: empty } = await createEmptyDatabase()

const BASELINE = '0068-baseline'

/** The table as versions before the baseline made it. */
const createOlderTable = (db: Db) =>
  db.run(sql`
    create table schema_migrations (
      version int primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`)

test('a current database has no pending migrations', async () => {
  expect(await pendingMigrations(pool)).toEqual([])
  expect(await migrate(pool)).toEqual([])
})

test('migration numbers increase by one from the baseline', async () => {
  const [baseline, ...later] = await readMigrations()
  expect(baseline?.name).toBe(BASELINE)
  expect(later.map(({ version }) => version)).toEqual(later.map((_, index) => 69 + index))
})

const applyNewer = (readsFrom: number | null, writer: number | null) =>
  pool.run(sql`
    insert into schema_migrations (version, name, checksum, reads_from, writer)
    values (9999, '9999-future.sql', 'x', ${readsFrom}, ${writer})`)

const removeNewer = () => pool.run(sql`delete from schema_migrations where version = 9999`)

test('a database is refused if an unknown newer migration declares no demands', async () => {
  await applyNewer(null, null)
  await expect(migrate(pool)).rejects.toThrow(/newer version of Rapport/)
  await removeNewer()
})

test('a database that accepts no writes of this version is refused', async () => {
  await applyNewer(0, 99)
  await expect(migrate(pool)).rejects.toThrow(
    'The database belongs to a newer version of Rapport (it has 9999-future.sql, and takes no changes of this one): start that version',
  )
  expect(await pendingMigrations(pool)).toEqual([])
  await removeNewer()
})

test('a newer database that still accepts writes of this version is used', async () => {
  await applyNewer(0, 0)
  const newer: string[] = []
  expect(await migrate(pool, { onNewer: (names) => newer.push(...names) })).toEqual([])
  expect(newer).toEqual(['9999-future.sql'])
  await removeNewer()
})

test('an edited migration is refused', async () => {
  await pool.run(sql`update schema_migrations set checksum = 'edited' where name = ${BASELINE}`)
  await expect(migrate(pool)).rejects.toThrow(/different content/)
  await pool.run(sql`
    update schema_migrations set checksum = ${(await readMigrations())[0]?.checksum} where name = ${BASELINE}`)
})

test('a database with the last migration before the baseline counts as having the baseline', async () => {
  await pool.transaction(async (tx) => {
    await tx.run(sql`drop table schema_migrations`)
    await createOlderTable(tx)
    await tx.run(sql`
      insert into schema_migrations (version, name, checksum) values
        (67, '0067-related-records.sql', 'x'), (68, '0068-run-cancellations.sql', ${CHECKSUM_BEFORE_BASELINE})`)
    // The database of this test has the later migrations too.
    const [, ...later] = await readMigrations()
    for (const { version, name, checksum } of later)
      await tx.run(
        sql`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`,
      )
  })
  const newer: string[] = []
  expect(await pendingMigrations(pool)).toEqual([])
  expect(await migrate(pool, { onNewer: (names) => newer.push(...names) })).toEqual([])
  expect(newer).toEqual([])
})

test('a database without the last migration before the baseline is refused', async () => {
  await pool.run(sql`delete from schema_migrations where version >= 68`)
  const refused =
    'The database belongs to an older version of Rapport (its last migration is 0067-related-records.sql): start the version of commit 814981a7 on it once, then this one'
  await expect(migrate(pool)).rejects.toThrow(refused)
  await expect(pendingMigrations(pool)).rejects.toThrow(refused)
})

test('waits for locks are short, but each fourth wait is longer than the last long one', () => {
  const waits = Array.from({ length: 12 }, (_, index) => patienceOf(index + 1))
  expect(waits).toEqual([0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 3, 0.5, 0.5, 0.5, 4.5])
  expect(patienceOf(400)).toBe(15)
})

test('reports the transaction that blocks a migration, not an older one that uses no table', async () => {
  await createOlderTable(empty)
  const blocked = await empty.transaction(async (idle) => {
    await idle.run(sql`select 1`)
    return empty.transaction(async (using) => {
      const pid = await using.value<number>(
        sql`select pg_backend_pid() from (select count(*) from schema_migrations) as used`,
      )
      const told = Promise.withResolvers<Blocker | undefined>()
      const migrated = migrate(empty, { onBlocked: told.resolve })
      const blocker = await told.promise
      return { pid, blocker, migrated }
    })
  })
  expect(blocked.blocker?.pid).toBe(blocked.pid)
  expect(await blocked.migrated).toEqual((await readMigrations()).map(({ name }) => name))
})

test('the table of migrations from before the baseline gets the new columns', async () => {
  const row = await empty.one(sql`
    select name, reads_from as "readsFrom", writer from schema_migrations where version = 68`)
  expect(row).toEqual({ name: BASELINE, readsFrom: 0, writer: 0 })
})
