import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'

const { pool } = await createTestDatabase()

test('a current database has nothing to do', async () => {
  expect(await pendingMigrations(pool)).toEqual([])
  expect(await migrate(pool)).toEqual([])
})

test('numbers are unique and rise by one', async () => {
  const versions = (await readMigrations()).map(({ version }) => version)
  expect(versions).toEqual(versions.map((_, index) => index + 1))
})

test('a database of a newer version is refused', async () => {
  await pool.run(
    sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-future.sql', 'x')`,
  )
  await expect(migrate(pool)).rejects.toThrow(/newer version of Rapport/)
  await pool.run(sql`delete from schema_migrations where version = 9999`)
})

test('an edited migration is refused', async () => {
  await pool.run(sql`update schema_migrations set checksum = 'edited' where version = 1`)
  await expect(migrate(pool)).rejects.toThrow(/different content/)
})
