// Deep offsets. Counters are a ladder: the rung in which an offset ends is found among them, with what is not folded
// yet, in the statement that reads the page, and rows are walked from there on only. Pure.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { BEFORE_ALL } from './background/work-store.ts'
import { ANY_VALUE, type Owner, RECORDS } from './counting.ts'
import { isNumeric, textKey } from './keys.ts'
import { allRecords, present, scalarOf } from './tallies.ts'
import { columns, direction, keyTable, own, type Question } from './ways.ts'

/** A page of a deep offset: what its statement begins with, and its rows. */
export interface Deep {
  before: Sql
  rows: Sql
}

/** Query of (low, n) of the changes not folded yet that are about `attr`: `low` may use `c.val`. */
const changed = ({ org, obj }: Owner, attr: number, low: Sql): Sql => sql`
  select ${low} as low, c.n
  from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
  where h.org = ${org} and h.obj = ${obj} and c.attr = ${attr}::int and c.val <> ${ANY_VALUE}`

/** Records by ranges of their ids: query of (low, n). */
export function idSteps(owner: Owner): Sql {
  const steps = sql`stat_ids s where s.org = ${owner.org} and s.obj = ${owner.obj}`
  const step = sql`(select s.low from ${steps} and s.low <= c.val::uuid order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${steps}
    union all ${changed(owner, RECORDS, sql`coalesce(${step}, ${BEFORE_ALL}::uuid)`)}`
}

function numberSteps(owner: Owner, { attr }: IndexedAttribute): Sql {
  const ranges = sql`stat_number s where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int`
  const range = sql`(select s.low from ${ranges} and s.low <= c.val::numeric order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${ranges}
    union all ${changed(owner, attr, sql`coalesce(${range}, '-Infinity'::numeric)`)}`
}

/** Texts are counted as they are written, and sorted whatever their letters' case: several values have one key. */
const textSteps = (owner: Owner, { attr }: IndexedAttribute): Sql => sql`
  select ${textKey(sql`s.value`)} as low, s.n from stat_text s
  where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int and s.value <> ${ANY_VALUE}
  union all ${changed(owner, attr, textKey(sql`c.val`))}`

/** CTEs `rungs`, each with how many rows there are up to its end, and `rung`, the one in which the offset ends. */
const climb = (question: Question, steps: Sql): Sql => sql`
  with steps as (${steps}),
  rungs as (
    select low, lead(low) over (order by low) as upper,
           sum(sum(n)) over (order by low ${direction(question)}) as until, sum(n) as n
    from steps group by low),
  rung as materialized (
    select low, upper, until - n as passed from rungs
    where n > 0 and until > ${question.offset}::bigint order by until limit 1)`

/** Of the rung, what is still to be passed. */
const rest = ({ rows, offset }: Question) =>
  sql`limit ${rows} offset (select (${offset}::bigint - passed)::bigint from rung)`

const isDescending = ({ sort }: Question) => sort.order === 'desc'

/** Along the ladder of ids. */
export function fromIdRung(question: Question): Deep {
  const { model } = question
  const order = direction(question)
  const start = isDescending(question)
    ? sql`r.id < coalesce((select upper from rung), 'ffffffff-ffff-ffff-ffff-ffffffffffff')`
    : sql`r.id >= (select low from rung)`
  return {
    before: climb(question, idSteps(model)),
    rows: sql`
      select ${columns(question)} from (
        select r.id as found from records r where ${own(model)} and ${start} and exists (select from rung)
        order by r.id ${order} ${rest(question)}) as page
      ${recordOf(model, sql`page.found`)} order by page.found ${order}`,
  }
}

/** Ranges of numbers hold many keys, a step of texts one. NaN is above every number. */
function keysFrom(question: Question, by: IndexedAttribute): Sql {
  if (!isDescending(question)) return sql`t.value >= (select low from rung)`
  return isNumeric(by)
    ? sql`t.value < coalesce((select upper from rung), 'NaN'::numeric)`
    : sql`t.value <= (select low from rung)`
}

/** Along the counters of an attribute's values: its index rows. */
function fromKeyRung(question: Question, by: IndexedAttribute): Deep {
  const { model } = question
  const order = sql`order by t.value ${direction(question)}, t.id ${direction(question)}`
  return {
    before: climb(question, isNumeric(by) ? numberSteps(model, by) : textSteps(model, by)),
    rows: sql`
      select ${columns(question, sql`t.value::text`)} from (
        select t.value, t.id from ${keyTable(by)} t
        where t.org = ${model.org} and t.attr = ${by.attr} and ${keysFrom(question, by)} and exists (select from rung)
        ${order} ${rest(question)}) as t
      ${recordOf(model, sql`t.id`)} ${order}`,
  }
}

/** Rows in the order of an index alone, as (key, id). */
interface Walked {
  from: Sql
  /** The key that comes before the id. */
  key: Sql
  id: Sql
  /** How many there are: a scalar expression. */
  count: Sql
}

/** CTEs and a query of (key, id): from the end that is nearer. Either direction is a walk along one index. */
function fromNearerEnd(question: Question, { from, key, id, count }: Walked): { before: Sql; walked: Sql } {
  const { rows, offset } = question
  const [forth, back] = isDescending(question) ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`]
  const walk = (isNear: Sql, order: Sql, slice: Sql) => sql`
    (select ${key} as key, ${id} as id from ${from} and ${isNear}
     order by ${key} ${order}, ${id} ${order} ${slice})`
  const left = sql`greatest((select n from counted) - ${offset}::bigint, 0)`
  return {
    before: sql`with counted as materialized (select ${count} as n)`,
    walked: sql`
      ${walk(sql`(select n >= 2 * ${offset}::bigint from counted)`, forth, sql`limit ${rows} offset ${offset}`)}
      union all
      ${walk(
        sql`(select n < 2 * ${offset}::bigint from counted)`,
        back,
        sql`limit least(${left}, ${rows}::bigint) offset greatest(${left} - ${rows}::bigint, 0)`,
      )}`,
  }
}

/** Along the index of changes, for which there is no ladder. */
export function fromNearerChange(question: Question): Deep {
  const { model } = question
  const { before, walked } = fromNearerEnd(question, {
    from: sql`records r where ${own(model)}`,
    key: sql`r.updated_at`,
    id: sql`r.id`,
    count: scalarOf(model, [{ tally: allRecords(model), sign: 1 }]),
  })
  const order = direction(question)
  return {
    before,
    rows: sql`
      select ${columns(question)} from (${walked}) as page
      ${recordOf(model, sql`page.id`)} order by page.key ${order}, page.id ${order}`,
  }
}

/** Along the index rows of an attribute of which it is counted only how many records have a value. */
function fromNearerKey(question: Question, by: IndexedAttribute): Deep {
  const { model } = question
  const { before, walked } = fromNearerEnd(question, {
    from: sql`${keyTable(by)} t where t.org = ${model.org} and t.attr = ${by.attr}`,
    key: sql`t.value`,
    id: sql`t.id`,
    count: scalarOf(model, [{ tally: present(model, by), sign: 1 }]),
  })
  const order = direction(question)
  return {
    before,
    rows: sql`
      select ${columns(question, sql`page.key::text`)} from (${walked}) as page
      ${recordOf(model, sql`page.id`)} order by page.key ${order}, page.id ${order}`,
  }
}

/** Records with a value in the order of an attribute. */
export const fromKey = (question: Question, by: IndexedAttribute): Deep =>
  by.counting === 'values' || by.counting === 'ranges'
    ? fromKeyRung(question, by)
    : fromNearerKey(question, by)
