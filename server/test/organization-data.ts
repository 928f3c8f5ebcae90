// Everything an organization has, as one text, to see whether anything changed.
import { createHash } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Not data: use of keys, counted requests, answers kept for repeats. */
const APART = ['api_keys', 'rate_windows', 'idempotent_answers']

/** Every table with rows of organizations; of one in partitions the whole. */
export async function organizationTables(db: Db): Promise<string[]> {
  const tables = await db.many<{ name: string }>(sql`
    select distinct c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'org' and t.table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = (quote_ident(t.table_name))::regclass)
    order by 1`)
  return tables.map(({ name }) => name)
}

const tablesOf = async (db: Db) => (await organizationTables(db)).filter((name) => !APART.includes(name))

/** A digest of the rows of each table, by table. */
export async function dataOf(db: Db, org: number): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of await tablesOf(db)) {
    const rows = await db.many<{ row: string }>(
      sql`select t::text as row from ${raw(table)} t where org = ${org} order by 1`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    digests[table] = `${rows.length} rows, ${createHash('sha256').update(text).digest('hex')}`
  }
  return digests
}
