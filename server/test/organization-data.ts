// Digests of all data of an organization, so that tests can detect changes.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Tables that are not data: the use of keys, counted requests, stored answers for retries. */
const APART = ['api_keys', 'rate_windows', 'idempotent_answers']

const tablesByDb = new WeakMap<Db, Promise<string[]>>()

async function readTables(db: Db): Promise<string[]> {
  const tables = await db.many<{ name: string }>(sql`
    select distinct c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'org' and t.table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = (quote_ident(t.table_name))::regclass)
    order by 1`)
  return tables.map(({ name }) => name)
}

/** Every table with rows of organizations; of a partitioned table only the whole. No test adds tables. */
export function organizationTables(db: Db): Promise<string[]> {
  const tables = tablesByDb.get(db) ?? readTables(db)
  tablesByDb.set(db, tables)
  return tables
}

const digestOf = (table: string, org: number): Sql => sql`
  select ${table} as name, count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, e'\n' order by t::text collate "C"), '')) as digest
  from ${raw(table)} t where org = ${org}`

/** A digest of the organization's rows in each table, by table. */
export async function dataOf(db: Db, org: number): Promise<Record<string, string>> {
  const tables = (await organizationTables(db)).filter((name) => !APART.includes(name))
  const digests = tables.map((table) => digestOf(table, org))
  const rows = await db.many<{ name: string; digest: string }>(join(digests, ' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
