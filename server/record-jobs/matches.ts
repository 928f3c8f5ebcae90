// Reads the records that a filter matches in the order of their ids: each record once. The position is an id.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext, ObjectModel } from '../model/attributes/models.ts'
import { matchingRecords } from '../records/engine/matching-records.ts'
import { readSearchFilters } from '../records/filters/input.ts'
import { conditionsOf, type RecordFilter } from '../records/filters/to-sql.ts'

/** @throws 400 invalid_filter */
export const readFilter = (
  ctx: ModelContext,
  caller: Caller,
  model: ObjectModel,
  filter: object | null | undefined,
): Promise<RecordFilter[]> => readSearchFilters(ctx, caller, model, { filter: filter ?? undefined })

/** @throws 400 invalid_filter */
export async function countMatches(
  ctx: ModelContext,
  caller: Caller,
  model: ObjectModel,
  filter: object | null | undefined,
): Promise<number> {
  const matching = await matchingRecords(ctx.db, model, await readFilter(ctx, caller, model, filter))
  return ctx.db.value<number>(sql`select count(*)::int as count from (${matching}) as m`)
}

/** Maximum number of records that one statement reads, so that it stays short even if few records match. */
const LOOKED_MAX = 5000
const FIRST = '00000000-0000-0000-0000-000000000000'

export interface Matches {
  ids: string[]
  /** The last record that was read; undefined if none is left. */
  lastId: string | undefined
}

interface Walk {
  filters: readonly RecordFilter[]
  after: string | null
  until: string
  limit: number
}

const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : join(conditions as Sql[], ' and ', '(', ')')

/** @returns at most `limit` ids; no record behind the last of them is read */
export async function nextMatches(
  tx: Db,
  { org, obj }: ObjectModel,
  { filters, after, until, limit }: Walk,
): Promise<Matches> {
  const looked = (columns: Sql) => sql`
    select ${columns} from records r
    where r.org = ${org} and r.obj = ${obj} and r.id > ${after ?? FIRST}::uuid and r.id <= ${until}::uuid
    order by r.id limit ${LOOKED_MAX}`
  const matching = sql`
    select l.id from (${looked(sql`r.id, ${allOf(conditionsOf(filters))} as matches`)}) as l
    where l.matches order by l.id limit ${limit}`
  const { ids, lastId } = await tx.one<{ ids: string[] | null; lastId: string | null }>(sql`
    with found as materialized (select array_agg(m.id order by m.id) as ids from (${matching}) as m)
    select f.ids, case when cardinality(f.ids) = ${limit}::int then f.ids[${limit}::int]
      else (select (array_agg(l.id order by l.id desc))[1] from (${looked(sql`r.id`)}) as l) end as "lastId"
    from found f`)
  return { ids: ids ?? [], lastId: lastId ?? undefined }
}
