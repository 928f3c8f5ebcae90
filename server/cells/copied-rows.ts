// Rows that are copied to another database, with the columns from the catalog: a column that a migration adds needs no
// entry in a list. Rows are JSON text: each value is the text that PostgreSQL writes and reads.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

export interface CopiedTable {
  name: string
  columns: readonly string[]
  /** Columns of the primary key. */
  primary: readonly string[]
  /** Columns that the database computes from others; they are not written. */
  generated: readonly string[]
  /** Columns that a copy changes in an existing row: all but the key and generated numbers, which cannot change. */
  changed: readonly string[]
}

/** The select items of a CopiedTable: of `pg_class c`, with its primary key `pg_index i`. */
export const TABLE_ITEMS = sql`
  c.relname as name,
  (select json_agg(a.attname order by a.attnum) from pg_attribute a
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
   where a.attrelid = c.oid and not a.attisdropped and a.attgenerated <> '') as generated,
  (select json_agg(a.attname order by k.place) from unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
   join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum) as "primary",
  (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
     and a.attnum <> all(i.indkey::int2[])) as changed`

export const findTable = (db: Db, name: string): Promise<CopiedTable> =>
  db.one<CopiedTable>(sql`
    select ${TABLE_ITEMS} from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.oid = ${name}::regclass`)

/**
 * Writes rows; existing rows get the new values.
 * @param when SQL: which rows of `t` are written
 */
export function upsertRows(
  tx: Db,
  { name, columns, primary, changed }: CopiedTable,
  rows: string,
  when: Sql = sql`true`,
): Promise<number> {
  const list = raw(columns.join(', '))
  const action =
    changed.length === 0
      ? 'do nothing'
      : `do update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`
  return tx.run(sql`
    insert into ${raw(name)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${raw(name)}, ${rows}::json) as t where ${when}
    on conflict (${raw(primary.join(', '))}) ${raw(action)}`)
}
