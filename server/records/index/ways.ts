// Each way to a page as the query of its rows: id, updated_at, data and key of the page's records and of one more.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../attributes/models.ts'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import type { RecordFilter } from '../filters.ts'
import { after, orderBy, type Position, type Sort } from '../sorting.ts'
import { isNumeric } from './keys.ts'
import type { Probe } from './probes.ts'

export interface Question {
  model: ObjectModel
  filters: readonly RecordFilter[]
  sort: Sort
  /** The attribute sorted by, where its index rows give the order. */
  sortedBy: IndexedAttribute | undefined
  position: Position | undefined
  /** Rows of the page, and one that tells whether another page follows. */
  rows: number
  offset: number
}

export const own = ({ org, obj }: Pick<ObjectModel, 'org' | 'obj'>): Sql =>
  sql`r.org = ${org} and r.obj = ${obj}`

const where = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`

const conditions = ({ filters }: Question) => filters.map(({ condition }) => condition)

const keyOf = ({ sort }: Question) => (sort.key ? sql`${sort.key.value}::text` : sql`null::text`)

const columns = (question: Question, key = keyOf(question)) => sql`r.id, r.updated_at, r.data, ${key} as key`

const direction = ({ sort }: Question) => (sort.order === 'asc' ? sql`asc` : sql`desc`)
const beyond = ({ sort }: Question) => (sort.order === 'asc' ? sql`>` : sql`<`)

const slice = ({ rows, offset }: Question) => sql`limit ${rows} offset ${offset}`
const limitOf = (bound: number | undefined) => (bound === undefined ? empty : sql`limit ${bound}`)

const beyondId = (question: Question, id: Sql) =>
  question.position ? [sql`${id} ${beyond(question)} ${question.position.id}::uuid`] : []

const beyondPosition = ({ sort, position }: Question) => (position ? [after(sort, position)] : [])

/** Along an index of records: the order of ids or of changes. */
export function walkRecords(question: Question, bound: number | undefined): Sql {
  const { model, sort } = question
  const scope = [own(model), ...beyondPosition(question)]
  const all = conditions(question)
  // Nothing to look at in rows that are passed by: only those of the page are come to.
  if (all.length === 0)
    return sql`
      select ${columns(question)} from (
        select r.id as found from records r ${where(scope)} ${orderBy(sort)} ${slice(question)}) as page
      ${recordOf(model, sql`page.found`)} ${orderBy(sort)}`
  if (bound === undefined)
    return sql`select ${columns(question)} from records r ${where([...scope, ...all])} ${orderBy(sort)} ${slice(question)}`
  return sql`
    select ${columns(question)} from (
      select r.* from records r ${where(scope)} ${orderBy(sort)} ${limitOf(bound)}) as r
    ${where(all)} ${orderBy(sort)} ${slice(question)}`
}

/** All records of an object: the order of no index. */
export function scanRecords(question: Question): Sql {
  const { model, sort } = question
  const scope = [own(model), ...conditions(question), ...beyondPosition(question)]
  return sql`select ${columns(question)} from records r ${where(scope)} ${orderBy(sort)} ${slice(question)}`
}

/** Along the ladder of ids: from the rung in which the offset ends. Records alone, newest or oldest first. */
export function fromRung(question: Question): Sql {
  const { model, rows, offset } = question
  const { org, obj } = model
  const isDescending = question.sort.order === 'desc'
  const order = isDescending ? sql`desc` : sql`asc`
  const start = isDescending
    ? sql`r.id < coalesce((select upper from rung), 'ffffffff-ffff-ffff-ffff-ffffffffffff')`
    : sql`r.id >= (select low from rung)`
  return sql`
    with counted as (
      select s.low, s.n from stat_ids s where s.org = ${org} and s.obj = ${obj}
      union all
      select (select s.low from stat_ids s where s.org = ${org} and s.obj = ${obj} and s.low <= c.val::uuid order by s.low desc limit 1), c.n
      from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
      where h.org = ${org} and h.obj = ${obj} and c.attr = 0),
    rungs as (
      select low, lead(low) over (order by low) as upper, sum(sum(n)) over (order by low ${order}) as until, sum(n) as n
      from counted group by low),
    rung as materialized (
      select low, upper, until - n as passed from rungs where until > ${offset} order by until limit 1)
    select ${columns(question)} from (
      select r.id as found from records r where ${own(model)} and ${start} and exists (select from rung)
      order by r.id ${order} limit ${rows} offset (select (${offset}::bigint - passed)::bigint from rung)) as page
    ${recordOf(model, sql`page.found`)} order by page.found ${order}`
}

const keyTable = (attribute: IndexedAttribute) => (isNumeric(attribute) ? sql`index_number` : sql`index_text`)

/** Records with a value, along the index rows of the attribute sorted by. */
export function walkKeys(question: Question, by: IndexedAttribute, bound: number | undefined): Sql {
  const { model, position } = question
  const order = sql`order by t.value ${direction(question)}, t.id ${direction(question)}`
  const type = isNumeric(by) ? sql`numeric` : sql`text`
  const scope = [
    sql`t.org = ${model.org}`,
    sql`t.attr = ${by.attr}`,
    ...(position
      ? [sql`(t.value, t.id) ${beyond(question)} (${position.key}::${type}, ${position.id}::uuid)`]
      : []),
  ]
  const all = conditions(question)
  const inner = all.length === 0 ? slice(question) : limitOf(bound)
  const outer = all.length === 0 ? empty : slice(question)
  return sql`
    select ${columns(question, sql`t.value::text`)} from (
      select t.value, t.id from ${keyTable(by)} t ${where(scope)} ${order} ${inner}) as t
    ${recordOf(model, sql`t.id`, { conditions: all })} ${order} ${outer}`
}

/** How many of walkKeys' rows there are before the page begins, when its offset is beyond them. */
export const keysPassed = (question: Question, by: IndexedAttribute): Sql => sql`
  select count(*) from (${walkKeys({ ...question, rows: question.offset, offset: 0 }, by, undefined)}) as passed`

/** Records without a value, which come last in either order. */
export function walkMissing(question: Question, by: IndexedAttribute): Sql {
  const { model, position } = question
  const order = direction(question)
  const all = conditions(question)
  const isAmong = position?.key === null
  const rest = isAmong ? beyondId(question, by.keepsMissing ? sql`t.id` : sql`r.id`) : []
  if (!by.keepsMissing) {
    const scope = [own(model), sql`${question.sort.key?.value ?? sql`null`} is null`, ...rest, ...all]
    return sql`select ${columns(question, sql`null::text`)} from records r ${where(scope)} order by r.id ${order} ${slice(question)}`
  }
  const scope = [sql`t.org = ${model.org}`, sql`t.attr = ${by.attr}`, ...rest]
  return sql`
    select ${columns(question, sql`null::text`)} from (
      select t.id from index_missing t ${where(scope)} order by t.id ${order}) as t
    ${recordOf(model, sql`t.id`, { conditions: all })} order by t.id ${order} ${slice(question)}`
}

/** Along the ids of a probe, which come in order. `isAlone`: they need not be looked at. */
export function walkIds(
  question: Question,
  { ids }: Probe,
  { bound, isAlone }: { bound?: number | undefined; isAlone: boolean },
): Sql {
  const { model } = question
  const order = direction(question)
  const inner = isAlone ? slice(question) : limitOf(bound)
  const outer = isAlone ? empty : slice(question)
  return sql`
    select ${columns(question)} from (
      select i.id from (${ids}) as i ${where(beyondId(question, sql`i.id`))} order by i.id ${order} ${inner}) as i
    ${recordOf(model, sql`i.id`, { conditions: isAlone ? [] : conditions(question) })} order by i.id ${order} ${outer}`
}

/** All records that a probe gives, sorted. */
export function gatherRecords(question: Question, { ids }: Probe): Sql {
  const { model, sort } = question
  return sql`
    select ${columns(question)} from (${ids}) as i
    ${recordOf(model, sql`i.id`, { conditions: [...conditions(question), ...beyondPosition(question)] })}
    ${orderBy(sort)} ${slice(question)}`
}
