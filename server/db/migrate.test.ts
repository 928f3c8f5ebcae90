import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { type Blocker, migrate, patienceOf, pendingMigrations } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

const { pool } = await createTestDatabase()

test('a current database has nothing to do', async () => {
  expect(await pendingMigrations(pool)).toEqual([])
  expect(await migrate(pool)).toEqual([])
})

test('numbers are unique and rise by one', async () => {
  const versions = (await readMigrations()).map(({ version }) => version)
  expect(versions).toEqual(versions.map((_, index) => index + 1))
})

const applyNewer = (readsFrom: number | null, writer: number | null) =>
  pool.run(sql`
    insert into schema_migrations (version, name, checksum, reads_from, writer)
    values (9999, '9999-future.sql', 'x', ${readsFrom}, ${writer})`)

const removeNewer = () => pool.run(sql`delete from schema_migrations where version = 9999`)

test('a database of a newer version is refused', async () => {
  await applyNewer(null, null)
  await expect(migrate(pool)).rejects.toThrow(/newer version of Rapport/)
  await removeNewer()
})

test('so is one that takes no changes of this version', async () => {
  await applyNewer(0, 99)
  await expect(migrate(pool)).rejects.toThrow(
    'The database belongs to a newer version of Rapport (it has 9999-future.sql, and takes no changes of this one): start that version',
  )
  expect(await pendingMigrations(pool)).toEqual([])
  await removeNewer()
})

test('one that still takes them is used', async () => {
  await applyNewer(0, 0)
  const newer: string[] = []
  expect(await migrate(pool, { onNewer: (names) => newer.push(...names) })).toEqual([])
  expect(newer).toEqual(['9999-future.sql'])
  await removeNewer()
})

test('an edited migration is refused', async () => {
  await pool.run(sql`update schema_migrations set checksum = 'edited' where version = 1`)
  await expect(migrate(pool)).rejects.toThrow(/different content/)
  await pool.run(sql`
    update schema_migrations set checksum = ${(await readMigrations())[0]?.checksum} where version = 1`)
})

test('a table of migrations from an earlier version is widened, and read until then', async () => {
  await pool.run(sql`alter table schema_migrations drop column reads_from, drop column writer`)
  expect(await pendingMigrations(pool)).toEqual([])
  await pool.run(sql`delete from schema_migrations where version = 21`)
  expect(await migrate(pool)).toEqual(['0021-ladder-of-changes.sql'])
  const row = await pool.one(
    sql`select name, reads_from as "readsFrom", writer from schema_migrations where version = 21`,
  )
  expect(row).toEqual({ name: '0021-ladder-of-changes.sql', readsFrom: 0, writer: 0 })
})

test('waits for tables are brief, and each fourth one is longer than the one before', () => {
  const waits = Array.from({ length: 12 }, (_, index) => patienceOf(index + 1))
  expect(waits).toEqual([0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 3, 0.5, 0.5, 0.5, 4.5])
  expect(patienceOf(400)).toBe(15)
})

test('what blocks a migration is named: not an older transaction that uses no table', async () => {
  const row = await pool.one<{ name: string; checksum: string }>(
    sql`delete from schema_migrations where version = 21 returning name, checksum`,
  )
  const blocked = await pool.transaction(async (idle) => {
    await idle.run(sql`select 1`)
    return pool.transaction(async (using) => {
      const pid = await using.value<number>(sql`select pg_backend_pid() from schema_migrations limit 1`)
      const told = Promise.withResolvers<Blocker | undefined>()
      const migrated = migrate(pool, { onBlocked: told.resolve })
      const blocker = await told.promise
      return { pid, blocker, migrated }
    })
  })
  expect(blocked.blocker?.pid).toBe(blocked.pid)
  expect(await blocked.migrated).toEqual([row.name])
})
