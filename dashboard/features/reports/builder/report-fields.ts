// The fields that a report can read: attributes, their parts, and the standard fields of every record.
import type { Attribute } from '../../../../contract/attributes.ts'
import type { MeasureOp } from '../../../../contract/report-states.ts'
import { alongFields } from '../../../shared/filters/along.ts'
import { partFields, recordFields } from '../../../shared/filters/record-fields.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { holdsMany, TYPES } from '../../../types/types.ts'
import { type Models, modelOf, type ReportObject } from './report-objects.ts'

/** An attribute whose slug is the field, so that editors of conditions on attributes can be used for reports. */
export interface ReportField extends Attribute {
  /** `deal.amount` */
  slug: string
  /** Alias of the field's object. */
  alias: string
  /** `Industry of company`; fields of the source are without the object. */
  fullName: string
  /** `city`: part of an address, which is listed too. */
  part: string | undefined
}

const PART = /\.(.+)$/

function reportField({ alias, name, join }: ReportObject, field: Attribute): ReportField {
  const isRecord = field.slug === 'id'
  const own = isRecord ? name : field.name
  const of = join === undefined || isRecord ? '' : ` of ${inSentence(name)}`
  const slug = `${alias}.${field.slug}`
  return {
    ...field,
    ...{ slug, alias, name: own, fullName: `${own}${of}`, part: PART.exec(field.slug)?.[1] },
  }
}

/** Attributes with their parts, then the record, its creation time, the time of its last change and its creator. */
export function fieldsOf(object: ReportObject): ReportField[] {
  const { model } = object
  if (!model) return []
  const own = new Set(model.attributes.map(({ slug }) => slug))
  const rank = ({ slug }: Attribute) => (slug === 'id' ? 0 : 1)
  const standard = recordFields(model.id)
    .filter(({ slug }) => !own.has(slug))
    .toSorted((a, b) => rank(a) - rank(b))
  const unique = (field: Attribute) => ({ ...field, id: `${model.id}.${field.id}` })
  const attributes = model.attributes.flatMap((one) => [
    one,
    ...(one.isList ? [] : partFields(one)).map(unique),
  ])
  return [...attributes, ...standard.map(unique)].map((field) => reportField(object, field))
}

/** The fields that filters can read along references without a join. */
export function fieldsAlong(objects: readonly ReportObject[], models: Models) {
  const ofObject = (object: ReportObject) => {
    const { near, far } = alongFields(object.model?.attributes ?? [], (id) => modelOf(models, id)?.attributes)
    const named = (field: Attribute): ReportField => ({ ...reportField(object, field), part: undefined })
    return { near: near.map(named), far: far.map(named) }
  }
  const found = objects.map(ofObject)
  return { near: found.flatMap(({ near }) => near), far: found.flatMap(({ far }) => far) }
}

export const allFields = (objects: readonly ReportObject[]): ReportField[] => objects.flatMap(fieldsOf)

type Typed = Pick<Attribute, 'type' | 'isList'>

/** Amounts and lists of dates cannot be grouped by. */
export const canGroup = (field: Typed): boolean =>
  field.type !== 'currency' && !(field.type === 'date' && field.isList)

const OF_NUMBERS: readonly MeasureOp[] = ['sum', 'avg', 'median', 'min', 'max', 'percentage']
const OF_DATES: readonly MeasureOp[] = ['min', 'max']
const OF_LISTS: readonly MeasureOp[] = ['countNotEmpty', 'countEmpty']
const OF_ALL: readonly MeasureOp[] = ['countDistinct', ...OF_LISTS]

/** Whether the field is the record itself. */
export const isRecord = ({ slug, alias }: Pick<ReportField, 'slug' | 'alias'>): boolean =>
  slug === `${alias}.id`

/** The operations for a field, the most common first. Records are counted by their id field. */
export function measuresOf(field: ReportField): readonly MeasureOp[] {
  if (isRecord(field)) return ['count']
  if (holdsMany(field)) return OF_LISTS
  if (TYPES[field.type].isNumeric) return [...OF_NUMBERS, ...OF_ALL]
  return field.type === 'date' ? [...OF_DATES, ...OF_ALL] : OF_ALL
}

export const firstMeasure = (field: ReportField): MeasureOp => measuresOf(field)[0] ?? 'count'
