// Rebuilds the indexes of records and of their index rows, one at a time, during reads and writes. Keys in random order
// leave the pages of a B-tree two thirds full; a rebuilt index is nine tenths full.
import type pg from 'pg'
import sql from 'sql-template-tag'
import type { Pool } from '../../../db/pool.ts'

export interface CompactedIndex {
  index: string
  bytesBefore: number
  bytesAfter: number
}

interface Options {
  /** Smaller indexes are left as they are. */
  bytesMin: number
  /** Cancels the rebuild in progress. That index stays unchanged. */
  signal: AbortSignal
  onIndex: (compacted: CompactedIndex) => void
}

const TABLES = ['records', 'uniques', 'links', 'index_text', 'index_number', 'index_missing', 'index_search']

interface Index {
  name: string
  bytes: number
}

/** The smallest first: each rebuild frees space for the copy that the next one needs. */
const selectIndexes = (db: Pool, bytesMin: number) =>
  db.many<Index>(sql`
    select c.relname as name, pg_relation_size(c.oid)::float8 as bytes
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(${TABLES}::regclass[]) and i.indisvalid and pg_relation_size(c.oid) >= ${bytesMin}::float8
    order by bytes, name`)

/** Names of indexes that an interrupted rebuild left: PostgreSQL writes to them, and never reads them. */
const selectLeftovers = (db: Pool) =>
  db.many<Pick<Index, 'name'>>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(${TABLES}::regclass[]) and not i.indisvalid and c.relname ~ '_cc(new|old)[0-9]*$'`)

async function dropLeftovers(db: Pool, client: pg.PoolClient): Promise<void> {
  for (const { name } of await selectLeftovers(db))
    await client.query(`drop index concurrently if exists ${client.escapeIdentifier(name)}`)
}

const bytesOf = (db: Pool, name: string) =>
  db.value<number>(sql`select pg_relation_size(${name}::regclass)::float8 as bytes`)

async function rebuildAll(
  db: Pool,
  client: pg.PoolClient,
  { bytesMin, signal, onIndex }: Options,
): Promise<void> {
  await dropLeftovers(db, client)
  for (const { name, bytes } of await selectIndexes(db, bytesMin)) {
    signal.throwIfAborted()
    await client.query(`reindex index concurrently ${client.escapeIdentifier(name)}`)
    onIndex({ index: name, bytesBefore: bytes, bytesAfter: await bytesOf(db, name) })
  }
}

/**
 * Rebuilds each index of at least `bytesMin`. Waits for transactions that began earlier.
 * @throws when it was stopped; the indexes that it has rebuilt stay rebuilt
 */
export async function compactIndexes(db: Pool, options: Options): Promise<void> {
  const client = await db.connect()
  const pid = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cancel = () => {
    db.run(sql`select pg_cancel_backend(${pid.rows[0]?.pid})`).catch(() => undefined)
  }
  options.signal.addEventListener('abort', cancel)
  try {
    // A rebuild takes minutes, and cannot run in a transaction. The connection is not used again.
    await client.query('set statement_timeout = 0')
    await rebuildAll(db, client, options)
  } catch (error) {
    await dropLeftovers(db, client).catch(() => undefined)
    throw options.signal.aborted ? options.signal.reason : error
  } finally {
    options.signal.removeEventListener('abort', cancel)
    client.release(true)
  }
}
