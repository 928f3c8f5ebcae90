// A search for texts in all that a database stores, without knowing what its tables are for.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { found, readable } from '../../privacy/erasure.fixture.ts'

/** All tables of the service and of its job queue, partitions too, with their columns. */
const selectTables = (db: Db) =>
  db.many<{ name: string; columns: string[] }>(sql`
    select format('%I.%I', c.table_schema, c.table_name) as name,
      array_agg(quote_ident(c.column_name) order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
    group by 1 order by 1`)

async function findInTables(db: Db, markers: readonly string[]): Promise<string[]> {
  const places: string[] = []
  for (const { name, columns } of await selectTables(db))
    for (const column of columns) {
      const rows = await db.many<{ value: string }>(
        sql`select ${raw(column)}::text as value from ${raw(name)} where ${raw(column)} is not null`,
      )
      for (const { value } of rows) places.push(...found(`${name}.${column}`, readable(value), markers))
    }
  return places
}

/**
 * @param files paths, which are searched as well as what the files contain
 * @returns each place with one of the texts: a column, or a file
 */
export async function findAnywhere(
  databases: readonly Db[],
  files: readonly string[],
  markers: readonly string[],
): Promise<string[]> {
  const places: string[] = []
  for (const db of new Set(databases)) places.push(...(await findInTables(db, markers)))
  for (const file of files)
    places.push(...found(file, `${file} ${(await readFile(file)).toString('latin1')}`, markers))
  return [...new Set(places)]
}
