// Records without a value of an attribute that has no rows in index_missing: the records of each bucket of the
// histogram of ids, minus the attribute's index rows in the bucket. Pure.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import { HIGHEST_ID, isMultiValue, LOWEST_ID } from '../index/index-keys.ts'
import { idHistogram } from './offset-seek.ts'
import {
  direction,
  keyTable,
  ofOwner,
  type PageRequest,
  pageColumns,
  type RowsQuery,
} from './page-request.ts'

/**
 * The negative number of records with a value per bucket of ids: query of (low, n). Scans only the attribute's index
 * rows.
 */
function withValue({ owner }: PageRequest, by: IndexedAttribute): Sql {
  const records = isMultiValue(by) ? sql`distinct t.id` : sql`*`
  return sql`
    select bounds.lows[width_bucket(t.id, bounds.lows)] as low, -count(${records}) as n
    from ${keyTable(by)} t cross join bounds where t.org = ${owner.org} and t.attr = ${by.attr} group by 1`
}

/** Buckets from the cursor on. Some records that are counted in the first bucket come before the cursor. */
function beyond({ position, sort }: PageRequest): { where: Sql; more: Sql } {
  if (!position) return { where: empty, more: sql`0` }
  const where =
    sort.order === 'asc' ? sql`where upper > ${position.id}::uuid` : sql`where low <= ${position.id}::uuid`
  return { where, more: sql`first` }
}

/** CTE `chosen`: the buckets that hold the page. */
function seek(request: PageRequest, by: IndexedAttribute): Sql {
  const { owner, rows, offset } = request
  const { where, more } = beyond(request)
  return sql`
    with bounds as materialized (
      select ${LOWEST_ID}::uuid || array(
        select s.low from stat_ids s
        where s.org = ${owner.org} and s.obj = ${owner.obj} and s.low > ${LOWEST_ID}::uuid order by s.low) as lows),
    counts as (${idHistogram(owner)} union all ${withValue(request, by)}),
    buckets as (
      select low, coalesce(lead(low) over (order by low), ${HIGHEST_ID}::uuid) as upper, sum(n) as n from counts group by low),
    beyond as (
      select low, upper, n, sum(n) over own as until, first_value(n) over own as first
      from buckets ${where} window own as (order by low ${direction(request)})),
    chosen as materialized (
      select low, upper, until - n as skipped from beyond
      where n > 0 and until > ${offset}::bigint and until - n - ${more} < ${offset}::bigint + ${rows}::bigint)`
}

/** @param isNull condition on `r`: it has no value @param by an attribute with complete index rows */
export function nullsByHistogram(request: PageRequest, by: IndexedAttribute, isNull: Sql): RowsQuery {
  const { owner, rows, offset, position } = request
  const order = direction(request)
  const after = position
    ? sql`and r.id ${request.sort.order === 'asc' ? sql`>` : sql`<`} ${position.id}::uuid`
    : empty
  return {
    before: seek(request, by),
    rows: sql`
      select ${pageColumns(request, sql`null::text`)} from (
        select nulls.id from chosen cross join lateral (
          select r.id from records r
          where ${ofOwner(owner)} and r.id >= chosen.low and r.id < chosen.upper ${after} and ${isNull} offset 0) as nulls
        order by nulls.id ${order}
        limit ${rows} offset (select (${offset}::bigint - min(skipped))::bigint from chosen)) as page
      ${recordOf(owner, sql`page.id`)} order by page.id ${order}`,
  }
}
