// The fields that a report can read: attributes, their parts, and the standard fields of every record.
import { TYPE_CONTRACTS } from '../../../../contract/attribute-types.ts'
import type { Attribute } from '../../../../contract/attributes.ts'
import { type MeasureOp, RECORD_FIELDS } from '../../../../contract/report-states.ts'
import { alongFields } from '../../../shared/filters/along.ts'
import { holdsMany, TYPES } from '../../../types/types.ts'
import { inSentence, type Models, modelOf, type ReportObject } from './report-objects.ts'

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

const PART_NAMES: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  line1: 'street',
  line2: 'apartment',
  postalCode: 'postal code',
}

export const partName = (part: string): string => PART_NAMES[part] ?? part

const RECORD_NAMES = { created_at: 'Created', updated_at: 'Updated', created_by: 'Created by' } as const

const PART = /\.(.+)$/

type Base = Pick<Attribute, 'id' | 'name' | 'type' | 'isList' | 'config'>

function fieldOf({ alias, name, join, model }: ReportObject, slug: string, base: Base): ReportField {
  const isRecord = slug === 'id'
  const of = join === undefined || isRecord ? '' : ` of ${inSentence(name)}`
  return {
    ...base,
    objectId: model?.id ?? '',
    isRequired: false,
    isUnique: false,
    isActive: true,
    isNaming: false,
    displayOrder: 0,
    defaultValue: null,
    createdAt: '',
    updatedAt: '',
    slug: `${alias}.${slug}`,
    alias,
    fullName: `${base.name}${of}`,
    part: PART.exec(slug)?.[1],
  }
}

function partsOf(object: ReportObject, { slug, name, type, isList, id }: Attribute): ReportField[] {
  // The number of an amount is no field, because it could be added to amounts of other currencies.
  const parts = isList ? [] : (TYPE_CONTRACTS[type].parts ?? []).filter((part) => part !== 'amount')
  return parts.map((part) =>
    fieldOf(object, `${slug}.${part}`, {
      id: `${id}.${part}`,
      name: `${name} (${partName(part)})`,
      type: 'text',
      isList: false,
      config: null,
    }),
  )
}

function recordFields(object: ReportObject): ReportField[] {
  const { model, name } = object
  const own = new Set(model?.attributes.map(({ slug }) => slug))
  return RECORD_FIELDS.filter((slug) => !own.has(slug)).map((slug) => {
    const id = `${model?.id}.${slug}`
    const plain = { id, isList: false }
    if (slug === 'id') {
      const config = { allowed_object_id: model?.id ?? '' }
      return fieldOf(object, slug, { ...plain, name, type: 'reference', config })
    }
    const type = slug === 'created_by' ? 'member' : 'date'
    return fieldOf(object, slug, { ...plain, name: RECORD_NAMES[slug], type, config: null })
  })
}

/** Attributes with their parts, then the record, its creation time, the time of its last change and its creator. */
export function fieldsOf(object: ReportObject): ReportField[] {
  const { model } = object
  if (!model) return []
  const attributes = model.attributes.flatMap((one) => [
    fieldOf(object, one.slug, one),
    ...partsOf(object, one),
  ])
  return [...attributes, ...recordFields(object)]
}

/** The fields that filters can read along references without a join. */
export function fieldsAlong(objects: readonly ReportObject[], models: Models) {
  const ofObject = ({ alias, name, join, model }: ReportObject) => {
    const { near, far } = alongFields(model?.attributes ?? [], (id) => modelOf(models, id)?.attributes)
    const of = join === undefined ? '' : ` of ${inSentence(name)}`
    const named = (field: Attribute): ReportField => ({
      ...field,
      ...{ slug: `${alias}.${field.slug}`, alias, fullName: `${field.name}${of}`, part: undefined },
    })
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
