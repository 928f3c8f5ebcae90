// Reads every table and B-tree of a restored database with amcheck: checksums of pages, rows, and the order of indexes.
import type pg from 'pg'
import { ANY_TIME, DATABASE_NAME, withClient } from '../../db/database.ts'
import type { Finding } from '../diagnosis/finding.ts'

const RELATIONS = `
  select c.oid::regclass::text as name, c.relkind = 'i' as "isIndex" from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_index i on i.indexrelid = c.oid left join pg_am a on a.oid = c.relam
  where c.relpersistence = 'p' and n.nspname <> 'pg_toast'
    and (c.relkind in ('r', 'm') or (c.relkind = 'i' and a.amname = 'btree' and i.indisvalid and i.indisready))
  order by c.oid`

interface Relation {
  name: string
  isIndex: boolean
}

/** @returns the first problem, in words */
async function problemOf(client: pg.Client, { name, isIndex }: Relation): Promise<string | undefined> {
  const statement = isIndex
    ? { text: 'select bt_index_check($1::regclass)', values: [name] }
    : { text: 'select msg from verify_heapam($1::regclass, on_error_stop => true) limit 1', values: [name] }
  try {
    const { rows } = await client.query<{ msg?: string }>(statement)
    return isIndex || rows[0] === undefined ? undefined : `${name}: ${rows[0].msg}`
  } catch (error) {
    return `${name}: ${(error as Error).message}`
  }
}

/** @param administration connects as the superuser, who creates the extension amcheck in the copy */
export async function checkPages(
  administration: (database: string) => pg.ClientConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const check = 'pages'
  return withClient({ ...administration(DATABASE_NAME), ...ANY_TIME }, async (client) => {
    await client.query('create extension if not exists amcheck')
    const { rows } = await client.query<Relation>(RELATIONS)
    for (const relation of rows) {
      signal.throwIfAborted()
      const problem = await problemOf(client, relation)
      if (problem !== undefined)
        return {
          check,
          status: 'fail',
          detail: problem,
          advice: 'check the disk of the service: its database is damaged',
        }
    }
    return { check, status: 'ok', detail: `${rows.length} tables and indexes are intact` }
  })
}
