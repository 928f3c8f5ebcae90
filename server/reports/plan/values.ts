// SQL expressions of a field: to group, to sort, to display.
import sql, { empty, type Sql } from 'sql-template-tag'
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { DateBucket } from '../../../contract/report-states.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { comparableText, lower, NUMERIC } from '../../records/filters/comparable.ts'
import { recordNameSql } from '../../records/names/store.ts'
import { RECORD_TYPES } from '../../records/types/types.ts'
import type { PlannedField } from './fields.ts'
import { allowedObject } from './objects.ts'
import type { Planning } from './planning.ts'

/** How values are compared and written: as numbers, or as texts. */
export type ComparedKind = 'number' | 'text'

export const nothingOf = (kind: ComparedKind): Sql =>
  kind === 'text' ? sql`null::text collate "C"` : sql`null::numeric`

// Only used for rows of the field's object, whose values are numbers. A type check is not needed: it would take a
// third more time.
export const numberIn = ({ attribute: { type } }: Pick<PlannedField, 'attribute'>, stored: Sql): Sql =>
  sql`(${RECORD_TYPES[type].number?.(stored) ?? stored})::numeric`

/** Types whose value is only a number; amounts also have a currency. */
const isWholeNumber = (type: AttributeType) => NUMERIC.has(type) && !TYPE_CONTRACTS[type].parts

/** The key by which values are equal. */
export function comparable(field: PlannedField): Sql {
  const { attribute, stored, text } = field
  const { text: textIn, ignoresCase } = RECORD_TYPES[attribute.type]
  if (NUMERIC.has(attribute.type)) return isWholeNumber(attribute.type) ? numberIn(field, stored) : stored
  if (textIn) return textIn(stored)
  return ignoresCase ? lower(text) : text
}

/** The same key for one element of a list. */
export function comparableElement(field: PlannedField, element: Sql): Sql {
  const { type } = field.attribute
  if (isWholeNumber(type)) return numberIn(field, element)
  const text = comparableText(type, element)
  return RECORD_TYPES[type].ignoresCase ? lower(text) : text
}

/** The key that rows are grouped by, and the value that is written for each group. */
export interface GroupKey {
  key: Sql
  /** Calculated once for each group: writing a date costs more than reading it. */
  written: (key: Sql) => Sql
}

export const asIs = (key: Sql): Sql => key

const MONTH_CHARACTERS = 7
const YEAR_CHARACTERS = 4

// The statement contains the bucket from this list, not text of a request.
const TRUNCATED: Readonly<Record<DateBucket, (at: Sql) => Sql>> = {
  day: (at) => sql`${at}::date`,
  week: (at) => sql`date_trunc('week', ${at})`,
  month: (at) => sql`date_trunc('month', ${at})`,
  quarter: (at) => sql`date_trunc('quarter', ${at})`,
  year: (at) => sql`date_trunc('year', ${at})`,
}

const truncated = (bucket: DateBucket, at: Sql): GroupKey => ({
  key: TRUNCATED[bucket](at),
  written: (start) => sql`to_char(${start}::timestamp, 'YYYY-MM-DD')`,
})

/** The first day of the bucket, written as text. Dates are not shifted by a time zone; timestamps are. */
export function bucketOf(
  { timestamp, text: day }: PlannedField,
  bucket: DateBucket,
  timeZone: string,
): GroupKey {
  if (timestamp) return truncated(bucket, sql`(${timestamp} at time zone ${timeZone}::text)`)
  if (bucket === 'day') return { key: day, written: asIs }
  // Cuts the text, because parsing it as a date costs more than the rest of the statement.
  if (bucket === 'month')
    return { key: sql`left(${day}, ${MONTH_CHARACTERS}::int)`, written: (month) => sql`(${month} || '-01')` }
  if (bucket === 'year')
    return { key: sql`left(${day}, ${YEAR_CHARACTERS}::int)`, written: (year) => sql`(${year} || '-01-01')` }
  return truncated(bucket, sql`${day}::date::timestamp`)
}

interface Members {
  org: number
  /** Whether API keys and workflows have names too: they can create records. */
  withOthers: boolean
  id?: undefined
  obj?: undefined
}

/** The target of references: records of an object, whose id is the `objectId` of a result column, or members. */
export type NamedTarget = ObjectModel | Members

/** @returns undefined for other types, or while the object is not known */
export function namedTarget(
  planning: Planning,
  { attribute, attributeId, object }: PlannedField,
): NamedTarget | undefined {
  if (attribute.type === 'member') return { org: object.model.org, withOthers: attributeId === undefined }
  if (attribute.type !== 'reference') return undefined
  return planning.model(allowedObject(attribute)) ?? undefined
}

const selectMember = ({ org, withOthers }: Members, id: Sql): Sql => sql`
    select u.name from users u where u.id = ${id}::uuid and (
      exists (select from former_members f where f.org = ${org} and f.user_id = u.id)
      or exists (
        select from organizations o join members m on m.organization_id = o.id
        where o.org = ${org} and m.user_id = u.id))
    ${
      withOthers
        ? sql`
      union all select k.name from api_keys k where k.org = ${org} and k.id = ${id}::uuid
      union all select w.name from workflows w where w.org = ${org} and w.id = ${id}::uuid`
        : empty
    }`

const selectName = (target: NamedTarget, id: Sql): Sql =>
  target.obj === undefined
    ? selectMember(target, id)
    : sql`
    select ${recordNameSql(target)} as name from records r
    where r.org = ${target.org} and r.obj = ${target.obj} and r.id = ${id}::uuid`

/** Joins the name of the record, member, API key or workflow whose id is in `id` as `name.name`. */
export const joinName = (target: NamedTarget, { id, name }: { id: Sql; name: Sql }): Sql => sql`
  left join lateral (${selectName(target, id)}) as ${name} on true`

/** Longer texts are sorted by their first characters. */
const SORT_KEY_CHARACTERS = 200

export interface Sorted {
  kind: ComparedKind
  /** The options of a select: values sort in this order. */
  options: readonly string[] | undefined
}

/** Sorts by one value in `direction`, empty values last. */
export function orderOf({ kind, options }: Sorted, value: Sql, order: 'asc' | 'desc' = 'asc'): Sql {
  const direction = sql`${order === 'asc' ? sql`asc` : sql`desc`} nulls last`
  if (kind === 'number') return sql`${value} ${direction}`
  const first = options ? sql`array_position(${options}::text[], ${value}) ${direction}, ` : empty
  const key = sql`left(${lower(value)}, ${SORT_KEY_CHARACTERS}::int) collate "C"`
  return sql`${first}${key} ${direction}, ${value} collate "C" ${direction}`
}
