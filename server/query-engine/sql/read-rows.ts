// Rows of a page in one text, proven to be of the model that they were asked for with.
import sql, { type Sql } from 'sql-template-tag'
import { StaleModel } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import { updatedMicros } from '../../records/sorting.ts'
import { readLines, type StoredRecord, visibleData } from '../../records/store.ts'
import type { Indexed } from '../statistics.ts'

interface Answer {
  total: number | null
  /** One line per record: id, micros, version, data; null when there is none. */
  lines: string | null
  keys: (string | null)[] | null
}

export interface Found {
  total: number | null
  records: StoredRecord[]
  keys: (string | null)[]
}

export const NOTHING: Found = { total: null, records: [], keys: [] }
export const NO_TOTAL: Sql = sql`null::bigint`

/** One text for the whole page, and its total when `total` is a query or an expression. */
export async function readRows(
  db: Db,
  model: Indexed,
  { rows, total = NO_TOTAL, before }: { rows: Sql; total?: Sql; before?: Sql },
): Promise<Found> {
  const row = await db.maybeOne<Answer>(sql`
    ${before ?? sql``} select (${total}) as total, page.lines, page.keys
    from objects o, lateral (
      select string_agg(r.id || ' ' || ${updatedMicros} || ' ' || r.version || ' ' || ${visibleData(model)}::text, E'\n') as lines,
             array_agg(r.key) as keys
      from (${rows}) as r) as page
    where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return { total: row.total, records: readLines(row.lines), keys: row.keys ?? [] }
}

/** A page from the end of one query and the beginning of another. */
export const joined = (first: Found, second: Found): Found => ({
  total: first.total,
  records: [...first.records, ...second.records],
  keys: [...first.keys, ...second.keys],
})
