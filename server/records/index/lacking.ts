// Records without a value of an attribute that has no rows for them: in each step of the ladder of ids they are those
// that no index row is of. Pure.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { AFTER_ALL, BEFORE_ALL } from './background/work-store.ts'
import { isMany } from './keys.ts'
import { type Deep, idSteps } from './ladder.ts'
import { columns, direction, keyTable, own, type Question } from './ways.ts'

/** Records with a value by steps of ids, counted down: query of (low, n). Along the index alone, whatever its size. */
function withValue({ model }: Question, by: IndexedAttribute): Sql {
  const records = isMany(by) ? sql`distinct t.id` : sql`*`
  return sql`
    select lows.lows[width_bucket(t.id, lows.lows)] as low, -count(${records}) as n
    from ${keyTable(by)} t cross join lows where t.org = ${model.org} and t.attr = ${by.attr} group by 1`
}

/** Steps beyond the cursor; of the one it is in, some of what is counted comes before it. */
function beyond({ position, sort }: Question): { where: Sql; more: Sql } {
  if (!position) return { where: empty, more: sql`0` }
  const where =
    sort.order === 'asc' ? sql`where upper > ${position.id}::uuid` : sql`where low <= ${position.id}::uuid`
  return { where, more: sql`first` }
}

/** CTE `chosen`: as few steps as the page is in. */
function climb(question: Question, by: IndexedAttribute): Sql {
  const { model, rows, offset } = question
  const { where, more } = beyond(question)
  return sql`
    with lows as materialized (
      select ${BEFORE_ALL}::uuid || array(
        select s.low from stat_ids s
        where s.org = ${model.org} and s.obj = ${model.obj} and s.low > ${BEFORE_ALL}::uuid order by s.low) as lows),
    steps as (${idSteps(model)} union all ${withValue(question, by)}),
    rungs as (
      select low, coalesce(lead(low) over (order by low), ${AFTER_ALL}::uuid) as upper, sum(n) as n from steps group by low),
    beyond as (
      select low, upper, n, sum(n) over own as until, first_value(n) over own as first
      from rungs ${where} window own as (order by low ${direction(question)})),
    chosen as materialized (
      select low, upper, until - n as passed from beyond
      where n > 0 and until > ${offset}::bigint and until - n - ${more} < ${offset}::bigint + ${rows}::bigint)`
}

/** @param isLacking condition on `r` that it has no value @param by with index rows that are complete */
export function fromLackingStep(question: Question, by: IndexedAttribute, isLacking: Sql): Deep {
  const { model, rows, offset, position } = question
  const order = direction(question)
  const after = position
    ? sql`and r.id ${question.sort.order === 'asc' ? sql`>` : sql`<`} ${position.id}::uuid`
    : empty
  return {
    before: climb(question, by),
    rows: sql`
      select ${columns(question, sql`null::text`)} from (
        select lacking.id from chosen cross join lateral (
          select r.id from records r
          where ${own(model)} and r.id >= chosen.low and r.id < chosen.upper ${after} and ${isLacking} offset 0) as lacking
        order by lacking.id ${order}
        limit ${rows} offset (select (${offset}::bigint - min(passed))::bigint from chosen)) as page
      ${recordOf(model, sql`page.id`)} order by page.id ${order}`,
  }
}
