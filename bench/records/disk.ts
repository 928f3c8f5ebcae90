// Disk space of an organization's records in all tables.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'

interface Table {
  name: string
  bytes: number
}

/** Tables of records and of data derived from them. Events are history and counted separately. */
const TABLES_OF_RECORDS = sql`
  select c.relname as name, pg_total_relation_size(c.oid) as bytes
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org'
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and (c.relname in ('records', 'uniques', 'links') or c.relname ~ '^(index|stat)_')`

/** @returns the bytes of the table times the organization's share of its rows */
async function shareOf(db: Db, org: number, { name, bytes }: Table): Promise<number> {
  const { share } = await db.one<{ share: number | null }>(sql`
    select (count(*) filter (where org = ${org}))::float8 / nullif(count(*), 0) as share from ${raw(name)}`)
  return bytes * (share ?? 0)
}

/** Bytes of the organization's records with all that is derived from them, without events. */
export async function recordBytes(db: Db, org: number): Promise<number> {
  let bytes = 0
  for (const table of await db.many<Table>(TABLES_OF_RECORDS)) bytes += await shareOf(db, org, table)
  return bytes
}

/** Bytes of the organization's events: for each partition, its bytes times the organization's share of the rows. */
export async function eventBytes(db: Db, org: number): Promise<number> {
  const partitions = await db.many<Table>(sql`
    select inhrelid::regclass::text as name, pg_total_relation_size(inhrelid) as bytes
    from pg_inherits where inhparent = 'events'::regclass`)
  let bytes = 0
  for (const partition of partitions) bytes += await shareOf(db, org, partition)
  return bytes
}

export const tableBytes = (db: Db, name: string): Promise<number> =>
  db.value<number>(sql`select pg_total_relation_size(${name}::regclass) as bytes`)

/** Bytes of write-ahead log so far. */
export const walBytes = (db: Db): Promise<number> =>
  db.value<number>(sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`)
