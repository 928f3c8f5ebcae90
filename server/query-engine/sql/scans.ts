// Each access path as the query of its rows: id, updated_at, version, data and key of the page's records and of one more.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../attributes/models.ts'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import type { RecordFilter } from '../../records/filters/to-sql.ts'
import { after, orderBy, type Position, type Sort } from '../../records/sorting.ts'
import type { Asked } from '../planner.ts'
import type { IndexCondition } from './index-conditions.ts'
import { isNumeric } from './index-keys.ts'

export interface Question {
  model: ObjectModel
  filters: readonly RecordFilter[]
  sort: Sort
  /** The attribute sorted by, where its index rows give the order. */
  sortedBy: IndexedAttribute | undefined
  position: Position | undefined
  /** Rows of the page, and one more that shows whether another page follows. */
  rows: number
  offset: number
  /** Only the ids are wanted: data is left empty. */
  idsAlone?: boolean | undefined
}

export const own = ({ org, obj }: Pick<ObjectModel, 'org' | 'obj'>): Sql =>
  sql`r.org = ${org} and r.obj = ${obj}`

const where = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`

const conditions = ({ filters }: Question) => filters.map(({ condition }) => condition)

const keyOf = ({ sort }: Question) => (sort.key ? sql`${sort.key.value}::text` : sql`null::text`)

const dataOf = ({ idsAlone }: Question) => (idsAlone ? sql`'{}'::jsonb as data` : sql`r.data`)

export const columns = (question: Question, key = keyOf(question)) =>
  sql`r.id, r.updated_at, r.version, ${dataOf(question)}, ${key} as key`

export const direction = ({ sort }: Question) => (sort.order === 'asc' ? sql`asc` : sql`desc`)
const beyond = ({ sort }: Question) => (sort.order === 'asc' ? sql`>` : sql`<`)

/** A page of nothing. */
export const emptyPath: Sql = sql`
  select null::uuid as id, null::timestamptz as updated_at, null::int as version, null::jsonb as data, null::text as key where false`

/** No OFFSET without one: PostgreSQL takes it for a tenth of the rows when it plans for any. */
const slice = ({ rows, offset }: Question) =>
  offset === 0 ? sql`limit ${rows}` : sql`limit ${rows} offset ${offset}`
const limitOf = (bound: number | undefined) => (bound === undefined ? empty : sql`limit ${bound}`)

/** The rows of the largest page, and one more that shows whether another page follows. */
const FIRST = { rows: 101, limit: sql`limit 101` }

/**
 * Of the rows of a query those of the page, in an order that is said of `alias`. A limit that is a parameter is a tenth of
 * all rows to a generic plan of PostgreSQL, which looks expensive: it would plan each page again, for a third of the
 * page's time. How many rows no page exceeds is therefore part of the text.
 */
function sliced(question: Question, query: Sql, { alias, order }: { alias: Sql; order: Sql }): Sql {
  if (question.offset > 0 || question.rows > FIRST.rows) return sql`${query} ${order} ${slice(question)}`
  return sql`select * from (${query} ${order} ${FIRST.limit}) as ${alias} ${order} limit ${question.rows}`
}

/** What gives the order of a question's rows. */
export function orderOf({ sort, sortedBy }: Question): Asked['order'] {
  if (!sort.key) return 'id'
  if (sort.field === 'updated_at') return 'updated'
  return sortedBy ? 'key' : 'none'
}

const beyondId = (question: Question, id: Sql) =>
  question.position ? [sql`${id} ${beyond(question)} ${question.position.id}::uuid`] : []

const beyondPosition = ({ sort, position }: Question) => (position ? [after(sort, position)] : [])

/** Ordered scan of an index on records: the order of ids or of changes. */
export function orderedScan(question: Question, bound: number | undefined): Sql {
  const { model, sort } = question
  const scope = [own(model), ...beyondPosition(question)]
  const all = conditions(question)
  // Nothing is compared in rows before the page: only records of the page are read.
  if (all.length === 0) {
    const keys = orderOf(question) === 'updated' ? sql`r.updated_at, r.id` : sql`r.id`
    const rows = sql`select ${keys} from records r ${where(scope)}`
    return sql`
      select ${columns(question)} from (${sliced(question, rows, { alias: sql`r`, order: orderBy(sort) })}) as page
      ${recordOf(model, sql`page.id`)} ${orderBy(sort)}`
  }
  const records =
    bound === undefined
      ? sql`records r ${where([...scope, ...all])}`
      : sql`(select r.* from records r ${where(scope)} ${orderBy(sort)} ${limitOf(bound)}) as r ${where(all)}`
  const rows = sql`select ${columns(question)} from ${records}`
  return sliced(question, rows, { alias: sql`r`, order: orderBy(sort) })
}

/** All records of an object: the order of no index. */
export function fullScan(question: Question): Sql {
  const { model, sort } = question
  const scope = [own(model), ...conditions(question), ...beyondPosition(question)]
  return sql`select ${columns(question)} from records r ${where(scope)} ${orderBy(sort)} ${slice(question)}`
}

export const keyTable = (attribute: IndexedAttribute) =>
  isNumeric(attribute) ? sql`index_number` : sql`index_text`

/** Ordered scan of the index rows of the attribute sorted by: records with a value. */
export function keyScan(question: Question, by: IndexedAttribute, bound: number | undefined): Sql {
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
  const rows = sql`select t.value, t.id from ${keyTable(by)} t ${where(scope)}`
  const [inner, outer] =
    all.length === 0
      ? [sliced(question, rows, { alias: sql`t`, order }), empty]
      : [sql`${rows} ${order} ${limitOf(bound)}`, slice(question)]
  return sql`
    select ${columns(question, sql`t.value::text`)} from (${inner}) as t
    ${recordOf(model, sql`t.id`, { conditions: all })} ${order} ${outer}`
}

/** How many of keyScan' rows there are before the page begins, when its offset is beyond them. */
export const keysSkipped = (question: Question, by: IndexedAttribute): Sql => sql`
  select count(*) from (${keyScan({ ...question, rows: question.offset, offset: 0 }, by, undefined)}) as passed`

/** Records without a value, which come last in either order; by looking at `bound` records where they have no rows. */
export function nullScan(question: Question, by: IndexedAttribute, bound?: number): Sql {
  const { model, position } = question
  const order = direction(question)
  const all = conditions(question)
  const isAmong = position?.key === null
  const rest = isAmong ? beyondId(question, by.keepsMissing ? sql`t.id` : sql`r.id`) : []
  if (!by.keepsMissing) {
    const isNull = sql`${question.sort.key?.value ?? sql`null`} is null`
    return sql`
      select ${columns(question, sql`null::text`)} from (
        select r.* from records r ${where([own(model), ...rest])} order by r.id ${order} ${limitOf(bound)}) as r
      ${where([isNull, ...all])} order by r.id ${order} ${slice(question)}`
  }
  const scope = [sql`t.org = ${model.org}`, sql`t.attr = ${by.attr}`, ...rest]
  const [inner, outer] = all.length === 0 ? [slice(question), empty] : [empty, slice(question)]
  return sql`
    select ${columns(question, sql`null::text`)} from (
      select t.id from index_missing t ${where(scope)} order by t.id ${order} ${inner}) as t
    ${recordOf(model, sql`t.id`, { conditions: all })} order by t.id ${order} ${outer}`
}

/** Records by the ids of an index condition, in order. `isAlone`: the records are not compared again. */
export function indexScan(
  question: Question,
  { ids }: IndexCondition,
  { bound, isAlone }: { bound?: number | undefined; isAlone: boolean },
): Sql {
  const { model } = question
  const order = sql`order by i.id ${direction(question)}`
  const rows = sql`select i.id from (${ids}) as i ${where(beyondId(question, sql`i.id`))}`
  const [inner, outer] = isAlone
    ? [sliced(question, rows, { alias: sql`i`, order }), empty]
    : [sql`${rows} ${order} ${limitOf(bound)}`, slice(question)]
  return sql`
    select ${columns(question)} from (${inner}) as i
    ${recordOf(model, sql`i.id`, { conditions: isAlone ? [] : conditions(question) })} ${order} ${outer}`
}

/** All records of an index condition, sorted. */
export function fetchAndSort(question: Question, { ids }: IndexCondition): Sql {
  const { model, sort } = question
  return sql`
    select ${columns(question)} from (${ids}) as i
    ${recordOf(model, sql`i.id`, { conditions: [...conditions(question), ...beyondPosition(question)] })}
    ${orderBy(sort)} ${slice(question)}`
}
