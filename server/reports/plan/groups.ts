// Plans the groups of a report.
import sql, { type Sql } from 'sql-template-tag'
import type { ReportGroupBy, ResultColumn } from '../../../contract/reports.ts'
import { sentName } from '../../base/suggestions.ts'
import { type PlannedField, planField } from './fields.ts'
import { l } from './names.ts'
import type { PlannedObject } from './objects.ts'
import type { Planning } from './planning.ts'
import {
  asIs,
  bucketOf,
  type ComparedKind,
  comparable,
  comparableElement,
  type GroupKey,
  type NamedTarget,
  namedTarget,
  type Sorted,
} from './values.ts'

export interface PlannedGroup extends Sorted {
  column: ResultColumn
  object: PlannedObject
  /** Equal for the rows of a group. */
  value: Sql
  /** The value of the group in the results. */
  written: GroupKey['written']
  kind: ComparedKind
  /** Joined for a list: one row for each distinct element. */
  elements: Sql | undefined
  /** The object of a reference: its records have names. */
  target: NamedTarget | undefined
  isFilled: boolean
}

export const optionsOf = ({ attribute: { config } }: PlannedField): readonly string[] | undefined =>
  config && 'options' in config ? config.options : undefined

/** The options of a select and their colors, for a result column. */
export function optionsIn({ attribute: { config } }: PlannedField): Pick<ResultColumn, 'options' | 'colors'> {
  if (!config || !('options' in config)) return {}
  const { options, colors } = config
  return { options: [...options], ...(colors && { colors }) }
}

const isZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** PostgreSQL reads offsets such as +02 with the opposite sign, and does not know names with other characters. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

function checkDates(
  planning: Planning,
  input: ReportGroupBy,
  { isDate, path }: { isDate: boolean; path: string },
) {
  const { bucket, fill, timezone } = input
  if (!isDate && bucket) planning.note(`${path}.bucket`, 'wrong_type', 'is only for dates: leave it out')
  if (!isDate && fill) planning.note(`${path}.fill`, 'wrong_type', 'is only for dates: leave it out')
  if (timezone !== undefined && !(ZONE_NAME.test(timezone) && isZone(timezone)))
    planning.note(
      `${path}.timezone`,
      'invalid_time_zone',
      `must be the IANA name of a time zone, such as Europe/Paris, not ${sentName(timezone)}`,
    )
}

const elementsOf = (field: PlannedField, name: Sql): Sql => sql`
  left join lateral (
    select distinct ${comparableElement(field, sql`element`)} as value
    from jsonb_array_elements(case when jsonb_typeof(${field.stored}) = 'array' then ${field.stored} end) as element
  ) as ${name} on true`

interface GroupInput {
  input: ReportGroupBy
  index: number
  field: PlannedField
}

function columnOf(planning: Planning, { input, field }: GroupInput): ResultColumn {
  const { key, label, timezone = planning.surroundings.timeZone } = input
  const { attribute, timestamp, attributeId } = field
  const isDate = attribute.type === 'date'
  const bucket = input.bucket ?? 'day'
  const target = namedTarget(planning, field)
  return {
    key,
    label: label ?? (isDate ? `${attribute.name} (${bucket})` : attribute.name),
    type: attribute.type === 'list' ? 'text' : attribute.type,
    role: 'dimension',
    ...(isDate && { bucket }),
    ...(timestamp && { timezone }),
    ...(target?.id !== undefined && { objectId: target.id }),
    ...(attributeId !== undefined && { attributeId }),
    ...optionsIn(field),
  }
}

function groupOf(planning: Planning, { input, index, field }: GroupInput): PlannedGroup {
  const { attribute } = field
  const { bucket = 'day', timezone = planning.surroundings.timeZone } = input
  const isList = attribute.isList || attribute.type === 'list'
  const { key, written } =
    attribute.type === 'date'
      ? bucketOf(field, bucket, timezone)
      : { key: isList ? sql`${l(index)}.value` : comparable(field), written: asIs }
  return {
    column: columnOf(planning, { input, index, field }),
    object: field.object,
    value: key,
    written,
    kind: attribute.type === 'number' ? 'number' : 'text',
    options: optionsOf(field),
    elements: isList ? elementsOf(field, l(index)) : undefined,
    target: namedTarget(planning, field),
    isFilled: input.fill === true,
  }
}

export function planGroups(
  planning: Planning,
  objects: readonly PlannedObject[],
  inputs: readonly ReportGroupBy[],
): PlannedGroup[] {
  const groups = inputs.map((input, index) => {
    const path = `groupBy[${index}]`
    const field = planField(planning, objects, { field: input.field, path: `${path}.field` })
    if (!field) return undefined
    const { type, isList } = field.attribute
    checkDates(planning, input, { isDate: type === 'date', path })
    if (type === 'currency')
      return planning.note(
        `${path}.field`,
        'wrong_type',
        'must not be an amount: group by its currency, written as alias.attribute.currency',
      )
    if (type === 'date' && isList)
      return planning.note(
        `${path}.field`,
        'wrong_type',
        'must not be a list of dates: group by another attribute',
      )
    return groupOf(planning, { input, index, field })
  })
  return groups.filter((group) => group !== undefined)
}
