// Reads rows. Each statement compares, in its own snapshot, the version of the model that it was compiled from.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../../model/attributes/models.ts'
import { pageLine, readLines, shortLines } from '../../rows/page-lines.ts'
import { type StoredRecord, visibleData } from '../../rows/stored-record.ts'
import type { RowsQuery } from './page-request.ts'

interface Answer {
  total: number | null
  /** One line per record: id, micros, version, data; null when there is none. */
  lines: string | null
  keys: (string | null)[] | null
}

export interface FoundRows {
  total: number | null
  records: StoredRecord[]
  keys: (string | null)[]
  /** Set if the path has a bound, and still found all matches. */
  isWhole?: true
}

export const NOTHING: FoundRows = { total: null, records: [], keys: [] }
export const NO_TOTAL: Sql = sql`null::bigint`

export interface RowSource {
  /** Condition on `objects o` that each statement passed to `row` must have. */
  isCurrent: Sql
  /** @throws StaleModel when the statement returns no row */
  row<Row>(statement: Sql): Promise<Row>
  /** Reads a page as one text. `total` is a query or an expression of its total. @throws StaleModel, LongPage */
  rows(query: RowsQuery & { total?: Sql }): Promise<FoundRows>
  count(query: Sql): Promise<number>
  snapshot<Result>(work: (source: RowSource) => Promise<Result>): Promise<Result>
}

export function rowSource(db: Db, model: ObjectModel): RowSource {
  const isCurrent = sql`o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}`
  const data = visibleData(model)
  async function row<Row>(statement: Sql): Promise<Row> {
    const found = await db.maybeOne<Row>(statement)
    if (!found) throw new StaleModel()
    return found
  }
  return {
    isCurrent,
    row,
    async rows({ rows, total = NO_TOTAL, before }) {
      const { lines, keys, ...found } = await row<Answer>(sql`
        ${before ?? sql``} select (${total}) as total, ${shortLines(sql`page.lines`)} as lines, page.keys
        from objects o, lateral (
          select string_agg(${pageLine(data)}, E'\n') as lines,
                 array_agg(r.key) as keys
          from (${rows}) as r) as page
        where ${isCurrent}`)
      return { total: found.total, records: readLines(lines), keys: keys ?? [] }
    },
    count: async (query) => (await db.one<{ count: number }>(query)).count,
    snapshot: (work) => db.snapshot((tx) => work(rowSource(tx, model))),
  }
}

/** Joins the end of one query and the beginning of another into a page. */
export const joined = (first: FoundRows, second: FoundRows): FoundRows => ({
  total: first.total,
  records: [...first.records, ...second.records],
  keys: [...first.keys, ...second.keys],
})
