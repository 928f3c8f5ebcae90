// Which changes of copied tables the directory records for its cells.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { COPIED_TABLES } from './copies.ts'

const { pool: directory } = await createTestDatabase()

/** By table, the columns whose changes its trigger ignores. */
const selectUnnoted = () =>
  directory.many<{ name: string; columns: string[] }>(sql`
    select c.relname as name, json_agg(a.attname order by a.attname) as columns
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = c.oid
    where t.tgname = 'identity_changes' and c.relname = any(${[...COPIED_TABLES]}::text[]) and a.attnum > 0
      and not a.attisdropped and cardinality(t.tgattr::int2[]) > 0 and a.attnum <> all(t.tgattr::int2[])
    group by c.relname order by c.relname`)

test('records changes of all columns except those that never change and times of use', async () => {
  expect(await selectUnnoted()).toEqual([
    {
      name: 'api_keys',
      columns: ['created_at', 'created_by', 'hash', 'id', 'last_used_at', 'org', 'prefix', 'rate_limit'],
    },
    { name: 'users', columns: ['created_at', 'id', 'updated_at'] },
  ])
})

test('each copied table has the trigger, which is disabled in cells', async () => {
  const tables = await directory.many<{ name: string; state: string }>(sql`
    select c.relname as name, t.tgenabled as state from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'identity_changes' order by c.relname`)
  expect(tables).toEqual([...COPIED_TABLES].sort().map((name) => ({ name, state: 'D' })))
})
