// Reads pages and ids of small objects by a scan of all their records.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { conditionsOf } from '../filters/to-sql.ts'
import { pageLine, readLines, shortLines } from '../rows/page-lines.ts'
import { afterPosition, orderBy } from '../rows/sorting.ts'
import { visibleData } from '../rows/stored-record.ts'
import type { Page, PageQuery } from './page-query.ts'
import { and, ofOwner } from './sql/page-request.ts'

interface PageRow {
  total: number | null
  /** One `pageLine` for each record; null when no record matches. */
  lines: string | null
  /** Sort key of the page's last record. */
  lastKey: string | null
}

function pageStatement(
  model: ObjectModel,
  { filters: asked, sort, position, limit, offset, count }: PageQuery,
): Sql {
  const filters = conditionsOf(asked)
  const { org, obj, version } = model
  const rest = position ? [...filters, afterPosition(sort, position)] : filters
  const total = count
    ? sql`(select count(*) from records r where ${ofOwner(model)}${and(filters)})`
    : sql`null::bigint`
  const key = sort.key ? sql`${sort.key.value}::text` : sql`null::text`
  // One row more than the page shows whether another page follows.
  return sql`
    select ${total} as total, ${shortLines(sql`page.lines`)} as lines, page.keys[${limit}::int] as "lastKey"
    from objects o, lateral (
      select string_agg(${pageLine()}, E'\n') as lines,
             ${sort.key ? sql`array_agg(r.key)` : sql`null::text[]`} as keys
      from (
        select r.id, r.updated_at, r.version, ${visibleData(model)} as data, ${key} as key
        from records r where ${ofOwner(model)}${and(rest)}
        ${orderBy(sort)} limit ${limit + 1} offset ${offset}) as r) as page
    where o.org = ${org} and o.obj = ${obj} and o.version = ${version}`
}

/** @param limit of the page; the row has one record more when another page follows @throws LongPage */
export function scannedPage({ total, lines, lastKey }: PageRow, limit: number): Page {
  const found = readLines(lines)
  const records = found.slice(0, limit)
  const last = found.length > limit ? records.at(-1) : undefined
  return { records, total: total ?? undefined, next: last && { key: lastKey, id: last.id } }
}

/** @throws StaleModel, LongPage */
export async function scanPage(db: Db, model: ObjectModel, query: PageQuery): Promise<Page> {
  const row = await db.maybeOne<PageRow>(pageStatement(model, query))
  if (!row) throw new StaleModel()
  return scannedPage(row, query.limit)
}

/** @returns the ids of the first matching records, by a scan */
export async function scanIds(
  db: Db,
  model: ObjectModel,
  { filters, sort, limit }: Pick<PageQuery, 'sort' | 'limit'> & { filters: readonly Sql[] },
): Promise<string[]> {
  const { org, obj } = model
  const row = await db.maybeOne<{ ids: string[] }>(sql`
    select array(
      select r.id from records r where ${ofOwner(model)}${and(filters)}
      ${orderBy(sort)} limit ${limit})::text[] as ids
    from objects o where o.org = ${org} and o.obj = ${obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return row.ids
}
