// Plans the measures of a report.
import sql, { type Sql } from 'sql-template-tag'
import {
  ATTRIBUTE_TYPES,
  type AttributeType,
  SUMMABLE,
  TYPE_CONTRACTS,
} from '../../../contract/attribute-types.ts'
import type { MeasureOp } from '../../../contract/report-states.ts'
import type { ReportMeasure, ResultColumn } from '../../../contract/reports.ts'
import { type PlannedField, planField } from './fields.ts'
import { isMultiplied, type PlannedObject } from './objects.ts'
import type { Planning } from './planning.ts'
import { type ComparedKind, comparable, numberIn } from './values.ts'

export interface PlannedMeasure {
  column: ResultColumn
  op: MeasureOp
  kind: ComparedKind
  /** The object whose records are counted, each once per group. */
  object: PlannedObject
  /** Whether a record can be in several rows of a group. */
  isMultiplied: boolean
  /** The value that is read from each row; undefined: rows are only counted. */
  value: Sql | undefined
  /** For an amount: its currency, which becomes part of the group. */
  currency: PlannedCurrency | undefined
}

export interface PlannedCurrency {
  /** Index of the currency in the report. */
  index: number
  value: Sql
  /** The currency for records without an amount, and for missing records. */
  fallback: string
}

const NUMBERS = [...SUMMABLE]
const ORDERED = ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].operators.includes('greaterThan'))

/** The types that each measure accepts; undefined: every type. */
const TYPES: Readonly<Record<MeasureOp, readonly AttributeType[] | undefined>> = {
  count: undefined,
  countEmpty: undefined,
  countNotEmpty: undefined,
  countDistinct: undefined,
  sum: NUMBERS,
  avg: NUMBERS,
  median: NUMBERS,
  percentage: NUMBERS,
  min: ORDERED,
  max: ORDERED,
}

const WITHOUT_FIELD: readonly MeasureOp[] = ['count', 'percentage']
const OF_LISTS: readonly MeasureOp[] = ['count', 'countEmpty', 'countNotEmpty']

/** Headings before the measured attribute, as in the report builder of the dashboard. */
const HEADINGS: Readonly<Record<Exclude<MeasureOp, 'count'>, string>> = {
  countDistinct: 'Unique values of',
  countEmpty: 'Number without',
  countNotEmpty: 'Number with',
  sum: 'Sum of',
  avg: 'Average of',
  min: 'Minimum',
  max: 'Maximum',
  median: 'Median of',
  percentage: 'Share of',
}

const OF_DATES: Partial<Record<MeasureOp, string>> = { min: 'Earliest', max: 'Latest' }

/** A name in the middle of a heading: lower case, except for abbreviations. */
const inSentence = (name: string): string =>
  /^\p{Lu}{2}/u.test(name) ? name : `${name.charAt(0).toLowerCase()}${name.slice(1)}`

/** `Sum of amount`, `Latest close date`. @param name of the attribute, or of the records */
function heading(op: MeasureOp, name: string, isDate: boolean): string {
  if (op === 'count') return name
  return `${(isDate && OF_DATES[op]) || HEADINGS[op]} ${inSentence(name)}`
}

/** `sales_leads` → `Sales leads` */
const headingOf = ({ model: { slug } }: PlannedObject) =>
  `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll('_', ' ')}`

function isFit(
  planning: Planning,
  { op }: ReportMeasure,
  { attribute }: PlannedField,
  path: string,
): boolean {
  const { type, isList, slug } = attribute
  const types = TYPES[op]
  const isMany = isList || type === 'list'
  if (isMany && !OF_LISTS.includes(op)) {
    planning.note(
      `${path}.field`,
      'wrong_type',
      `must be an attribute with a single value, which ${op} requires: ${slug} is a list`,
    )
    return false
  }
  if (types && !types.includes(type)) {
    planning.note(
      `${path}.field`,
      'wrong_type',
      `must be of type ${types.join(', ')}, which ${op} requires: ${slug} is of type ${type}`,
    )
    return false
  }
  return true
}

function measuredValue(op: MeasureOp, field: PlannedField): Sql | undefined {
  const { stored, attribute } = field
  if (op === 'count') return undefined
  if (op === 'countEmpty' || op === 'countNotEmpty') return sql`(${stored} is null or ${stored} = '[]')`
  if (op === 'countDistinct') return comparable(field)
  return attribute.type === 'date' ? field.text : numberIn(field, stored)
}

const AMOUNTS: readonly MeasureOp[] = ['sum', 'avg', 'min', 'max', 'median', 'percentage']

/** The currencies of the report's amounts, one for each attribute. */
class Currencies {
  readonly #slugs: string[] = []
  readonly #fallback: string

  constructor(fallback: string) {
    this.#fallback = fallback
  }

  of(op: MeasureOp, { attribute, object, stored }: PlannedField): PlannedCurrency | undefined {
    if (attribute.type !== 'currency' || !AMOUNTS.includes(op)) return undefined
    const slug = `${object.alias}.${attribute.slug}`
    const known = this.#slugs.indexOf(slug)
    if (known === -1) this.#slugs.push(slug)
    return {
      index: known === -1 ? this.#slugs.length - 1 : known,
      value: sql`(${stored}->>'currency')`,
      fallback: this.#fallback,
    }
  }
}

function typeOf(op: MeasureOp, field: PlannedField | undefined): string {
  if (op === 'percentage') return 'percentage'
  return field && AMOUNTS.includes(op) ? field.attribute.type : 'number'
}

function columnOf(
  { key, label, op }: ReportMeasure,
  object: PlannedObject,
  field: PlannedField | undefined,
): ResultColumn {
  const isOfRecords = !field || op === 'count'
  const isDate = field?.attribute.type === 'date'
  const type = typeOf(op, field)
  return {
    key,
    label: label ?? heading(op, isOfRecords ? headingOf(object) : field.attribute.name, isDate),
    type,
    role: 'measure',
    ...(field?.attributeId !== undefined && { attributeId: field.attributeId }),
    ...(field?.attribute.type === 'currency' && AMOUNTS.includes(op) && { perCurrency: true as const }),
  }
}

interface Measuring {
  planning: Planning
  objects: readonly PlannedObject[]
  currencies: Currencies
}

function planMeasure({ planning, objects, currencies }: Measuring, input: ReportMeasure, path: string) {
  const { op } = input
  if (input.field === undefined && !WITHOUT_FIELD.includes(op))
    return planning.note(
      `${path}.field`,
      'required',
      `is required: ${op} works on a field, such as deals.amount`,
    )
  const field =
    input.field === undefined
      ? undefined
      : planField(planning, objects, { field: input.field, path: `${path}.field` })
  const object = field?.object ?? objects[0]
  if (!object || (input.field !== undefined && !field)) return undefined
  if (field && !isFit(planning, input, field, path)) return undefined
  return {
    column: columnOf(input, object, field),
    op,
    kind: typeOf(op, field) === 'date' ? ('text' as const) : ('number' as const),
    object,
    isMultiplied: isMultiplied(objects, object),
    value: field && measuredValue(op, field),
    currency: field && currencies.of(op, field),
  }
}

export function planMeasures(
  planning: Planning,
  objects: readonly PlannedObject[],
  inputs: readonly ReportMeasure[],
): PlannedMeasure[] {
  const currencies = new Currencies(planning.surroundings.locale.currency)
  const measures = inputs.map((input, index) =>
    planMeasure({ planning, objects, currencies }, input, `measures[${index}]`),
  )
  return measures.filter((measure) => measure !== undefined)
}
