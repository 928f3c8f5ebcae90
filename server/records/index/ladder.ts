// Deep offsets. Counters are a ladder: the rung in which an offset ends is found among them, with what is not folded
// yet, in the statement that reads the page, and rows are walked from there on only. Pure.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { orderBy } from '../sorting.ts'
import { AFTER_ALL, BEFORE_ALL } from './background/work-store.ts'
import { ANY_VALUE, momentOf, type Owner, RECORDS, UPDATED } from './counting.ts'
import { isNumeric, textKey } from './keys.ts'
import type { Probe } from './probes.ts'
import { present, scalarOf } from './tallies.ts'
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

function numberSteps(owner: Owner, attr: number): Sql {
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

/** Condition that an id is among about the first `bound` of all records in the order of ids: up to the end of a step. */
function isAmongFirst(question: Question, id: Sql, bound: number): Sql {
  const { model, position } = question
  const [behind, isWithin, otherwise] = isDescending(question)
    ? [sql`<=`, sql`>=`, BEFORE_ALL]
    : [sql`>`, sql`<`, AFTER_ALL]
  const end = sql`
    select low from (
      select s.low, s.n, sum(s.n) over (order by s.low ${direction(question)}) as until
      from stat_ids s where s.org = ${model.org} and s.obj = ${model.obj}
      ${position ? sql`and s.low ${behind} ${position.id}::uuid` : empty}) as steps
    where until - n >= ${bound} order by low ${direction(question)} limit 1`
  return sql`${id} ${isWithin} coalesce((${end}), ${otherwise}::uuid)`
}

/** Those ids of a probe that are among the first. */
export const firstIds = (question: Question, { ids }: Probe, bound: number): Sql =>
  sql`select p.id from (${ids}) as p where ${isAmongFirst(question, sql`p.id`, bound)}`

/** Where records begin: in an order, or in the other one. */
interface Start {
  asc: Sql
  desc: Sql
}

function fromRecordRung(question: Question, steps: Sql, start: Start): Deep {
  const { model, sort } = question
  return {
    before: climb(question, steps),
    rows: sql`
      select ${columns(question)} from (
        select r.id as found from records r where ${own(model)} and ${start[sort.order]} and exists (select from rung)
        ${orderBy(sort)} ${rest(question)}) as page
      ${recordOf(model, sql`page.found`)} ${orderBy(sort)}`,
  }
}

/** Along the ladder of ids. */
export const fromIdRung = (question: Question): Deep =>
  fromRecordRung(question, idSteps(question.model), {
    asc: sql`r.id >= (select low from rung)`,
    desc: sql`r.id < coalesce((select upper from rung), ${AFTER_ALL}::uuid)`,
  })

/** Along the ladder of the seconds of last changes. */
export const fromChangeRung = (question: Question): Deep =>
  fromRecordRung(question, numberSteps(question.model, UPDATED), {
    asc: sql`r.updated_at >= ${momentOf(sql`select low from rung`)}`,
    desc: sql`r.updated_at < coalesce(${momentOf(sql`select upper from rung`)}, 'infinity')`,
  })

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
    before: climb(question, isNumeric(by) ? numberSteps(model, by.attr) : textSteps(model, by)),
    rows: sql`
      select ${columns(question, sql`t.value::text`)} from (
        select t.value, t.id from ${keyTable(by)} t
        where t.org = ${model.org} and t.attr = ${by.attr} and ${keysFrom(question, by)} and exists (select from rung)
        ${order} ${rest(question)}) as t
      ${recordOf(model, sql`t.id`)} ${order}`,
  }
}

/** Query of (value, id): index rows from the end that is nearer. Either direction is a walk along one index. */
function nearerKeys(question: Question, by: IndexedAttribute): Sql {
  const { model, rows, offset } = question
  const [forth, back] = isDescending(question) ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`]
  const walk = (isNear: Sql, order: Sql, slice: Sql) => sql`
    (select t.value, t.id from ${keyTable(by)} t where t.org = ${model.org} and t.attr = ${by.attr} and ${isNear}
     order by t.value ${order}, t.id ${order} ${slice})`
  const left = sql`greatest((select n from counted) - ${offset}::bigint, 0)`
  return sql`
    ${walk(sql`(select n >= 2 * ${offset}::bigint from counted)`, forth, sql`limit ${rows} offset ${offset}`)}
    union all
    ${walk(
      sql`(select n < 2 * ${offset}::bigint from counted)`,
      back,
      sql`limit least(${left}, ${rows}::bigint) offset greatest(${left} - ${rows}::bigint, 0)`,
    )}`
}

/** Along the index rows of an attribute of which it is counted only how many records have a value. */
function fromNearerKey(question: Question, by: IndexedAttribute): Deep {
  const { model } = question
  const count = scalarOf(model, [{ tally: present(model, by), sign: 1 }])
  const order = direction(question)
  return {
    before: sql`with counted as materialized (select ${count} as n)`,
    rows: sql`
      select ${columns(question, sql`page.value::text`)} from (${nearerKeys(question, by)}) as page
      ${recordOf(model, sql`page.id`)} order by page.value ${order}, page.id ${order}`,
  }
}

/** Records with a value in the order of an attribute. */
export const fromKey = (question: Question, by: IndexedAttribute): Deep =>
  by.counting === 'values' || by.counting === 'ranges'
    ? fromKeyRung(question, by)
    : fromNearerKey(question, by)
