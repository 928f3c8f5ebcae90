// Reading records. Each statement carries the organization and the version of the model it was compiled from.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type ObjectModel, StaleModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { PAGE_BYTES_MAX } from '../http/page-size.ts'
import { idTime } from '../id.ts'
import { conditionsOf, type RecordFilter } from './filters/to-sql.ts'
import { isoTime } from './iso-time.ts'
import { after, orderBy, type Position, type Sort, updatedMicros } from './sorting.ts'

/** A record from the database: data is the text from PostgreSQL, so that numbers stay exact. */
export interface StoredRecord {
  id: string
  /** Microseconds since 1970 of the last change; no two versions of a record share it. */
  micros: number
  /** 1 for a new record, increased by one with every change. */
  version: number
  data: string
}

/**
 * The record as JSON text, shaped as contract/records.ts CrmRecord. Its `data` is the text of PostgreSQL's jsonb,
 * never parsed here, so that numbers keep all 30 digits and no time is spent.
 */
export const recordJson = (
  { id: objectId }: Pick<ObjectModel, 'id'>,
  { id, micros, version, data }: StoredRecord,
): string =>
  `{"id":"${id}","objectId":"${objectId}","data":${data},"createdAt":"${isoTime(idTime(id))}","updatedAt":"${isoTime(Math.floor(micros / 1000))}","version":${version}}`

export const etagOf = ({ micros }: Pick<StoredRecord, 'micros'>): string => `"${micros.toString(36)}"`

/** Whether the model of this statement is still current, compared in the statement's snapshot. */
export const isCurrent = ({ org, obj, version }: ObjectModel): Sql =>
  sql`exists (select from objects where org = ${org} and obj = ${obj} and version = ${version})`

/** What of an object's records is not shown as it is stored: columns of `objects`. */
interface Shown {
  hidden: Sql
  renaming: Sql
}

/** visibleData in a statement for records of several objects. @param shown columns of the row's object */
export const visibleBy = ({ hidden, renaming }: Shown, data: Sql): Sql => sql`(
  case when ${hidden} = '{}' and ${renaming} is null then ${data}
    else with_renamed_options(${data} - ${hidden}, coalesce(${renaming}, '{}')) end)`

/** The visible data: without values of inactive or deleted attributes, with options under the names that follow them. */
export function visibleData(
  { hiddenSlugs, renaming }: Pick<ObjectModel, 'hiddenSlugs' | 'renaming'>,
  data = sql`r.data`,
): Sql {
  const shown = hiddenSlugs.length === 0 ? data : sql`(${data} - ${hiddenSlugs}::text[])`
  return renaming ? sql`with_renamed_options(${shown}, ${JSON.stringify(renaming)}::jsonb)` : shown
}

const columns = (model: ObjectModel) =>
  sql`r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data`

/** @returns undefined when there is no such record */
export async function findRecord(db: Db, model: ObjectModel, id: string): Promise<StoredRecord | undefined> {
  const row = await db.maybeOne<StoredRecord & { id: string | null }>(sql`
    select ${columns(model)}
    from objects o
    left join records r on r.org = o.org and r.obj = o.obj and r.id = ${id}
    where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return row.id === null ? undefined : row
}

export interface PageQuery {
  filters: readonly RecordFilter[]
  sort: Sort
  position: Position | undefined
  limit: number
  offset: number
  count: boolean
  /** The caller only needs ids: data may be empty. */
  idsAlone?: boolean
}

export interface Page {
  records: StoredRecord[]
  total: number | undefined
  /** Where the next page begins; undefined on the last page. */
  next: Position | undefined
}

interface PageRow {
  total: number | null
  /** One `pageLine` for each record; null when there is none. */
  lines: string | null
  /** Sort key of the page's last record. */
  lastKey: string | null
}

export const and = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? empty : sql` and ${join(conditions, ' and ')}`

function pageStatement(
  model: ObjectModel,
  { filters: asked, sort, position, limit, offset, count }: PageQuery,
): Sql {
  const filters = conditionsOf(asked)
  const { org, obj, version } = model
  const own = sql`r.org = ${org} and r.obj = ${obj}`
  const rest = position ? [...filters, after(sort, position)] : filters
  const total = count ? sql`(select count(*) from records r where ${own}${and(filters)})` : sql`null::bigint`
  const key = sort.key ? sql`${sort.key.value}::text` : sql`null::text`
  // One row more than the page shows whether another page follows.
  return sql`
    select ${total} as total, ${shortLines(sql`page.lines`)} as lines, page.keys[${limit}::int] as "lastKey"
    from objects o, lateral (
      select string_agg(${pageLine()}, E'\n') as lines,
             ${sort.key ? sql`array_agg(r.key)` : sql`null::text[]`} as keys
      from (
        select r.id, r.updated_at, r.version, ${visibleData(model)} as data, ${key} as key
        from records r where ${own}${and(rest)}
        ${orderBy(sort)} limit ${limit + 1} offset ${offset}) as r) as page
    where o.org = ${org} and o.obj = ${obj} and o.version = ${version}`
}

// One text for the whole page takes half the time of one row per record, in PostgreSQL, the network and Node together.

/**
 * `<id> <time> <version> <data>` of the record `r`, to be joined with line breaks, which JSON text from jsonb has none
 * of. The time of the last change is in hexadecimal microseconds since 2000: as a number it would take five times as long.
 * @param data what may be shown
 */
export const pageLine = (data: Sql = sql`r.data`): Sql =>
  sql`r.id || ' ' || encode(timestamptz_send(r.updated_at), 'hex') || ' ' || r.version || ' ' || ${data}::text`

const ID_END = 36
const TIME_START = ID_END + 1
const TIME_END = TIME_START + 16
const VERSION_START = TIME_END + 1
const MICROS_OF_2000 = Date.UTC(2000, 0, 1) * 1000

function readLine(line: string): StoredRecord {
  const versionEnd = line.indexOf(' ', VERSION_START)
  return {
    id: line.slice(0, ID_END),
    micros: Number.parseInt(line.slice(TIME_START, TIME_END), 16) + MICROS_OF_2000,
    version: Number(line.slice(VERSION_START, versionEnd)),
    data: line.slice(versionEnd + 1),
  }
}

/** Of a page's text, which is then cut: its last line is not whole. */
export const shortLines = (lines: Sql): Sql => sql`
  case when octet_length(${lines}) > ${PAGE_BYTES_MAX}::int then left(${lines}, ${PAGE_BYTES_MAX + 1}::int) else ${lines} end`

/** Thrown where the text of a page was cut: the page is to be read again with fewer records. */
export class LongPage extends Error {
  readonly limit: number

  /** @param whole records of the page that were not cut: one more than a page is read */
  constructor(whole: number) {
    super('The page is too long')
    this.limit = Math.max(1, whole - 1)
  }
}

/** The records of a page's text; null when there is none. @throws LongPage */
export function readLines(lines: string | null): StoredRecord[] {
  if (lines === null) return []
  const each = lines.split('\n')
  if (lines.length > PAGE_BYTES_MAX) throw new LongPage(each.length - 1)
  return each.map(readLine)
}

/** @param limit how many records the page shows at most; there is one more when another page follows @throws LongPage */
export function pageOf({ total, lines, lastKey }: PageRow, limit: number): Page {
  const found = readLines(lines)
  const records = found.slice(0, limit)
  const last = found.length > limit ? records.at(-1) : undefined
  return { records, total: total ?? undefined, next: last && { key: lastKey, id: last.id } }
}

/** @throws StaleModel, LongPage */
export async function scanPage(db: Db, model: ObjectModel, query: PageQuery): Promise<Page> {
  const row = await db.maybeOne<PageRow>(pageStatement(model, query))
  if (!row) throw new StaleModel()
  return pageOf(row, query.limit)
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
      select r.id from records r where r.org = ${org} and r.obj = ${obj}${and(filters)}
      ${orderBy(sort)} limit ${limit})::text[] as ids
    from objects o where o.org = ${org} and o.obj = ${obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return row.ids
}
