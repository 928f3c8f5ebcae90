// Resolves `alias.attribute` to SQL expressions.
import sql, { type Sql } from 'sql-template-tag'
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { RECORD_FIELDS } from '../../../contract/report-states.ts'
import { instead, sentName, unknownAttribute } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { storedValue, textValue } from '../../records/filters/comparable.ts'
import type { PlannedObject } from './objects.ts'
import { type PlannedPath, planPath } from './paths.ts'
import type { Planning } from './planning.ts'

export interface PlannedField {
  object: PlannedObject
  /** The field as an attribute; parts of values and fields of the record itself count as attributes too. */
  attribute: Pick<ModelAttribute, 'slug' | 'name' | 'type' | 'isList' | 'config'>
  /** Its values as jsonb; for a timestamp, its day in the organization's time zone. */
  stored: Sql
  /** The same as text, for types whose jsonb is a string: half the cost of converting `stored`. */
  text: Sql
  /** Id of the underlying attribute. */
  attributeId: string | undefined
  /** timestamptz, for created_at and updated_at */
  timestamp: Sql | undefined
  /** The references from an object of the report to the object of the field, if a filter follows any. */
  along?: PlannedPath
}

const NAMES: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  postalCode: 'postal code',
}

function partOf(field: PlannedField, name: string): PlannedField {
  const { attribute: of, object } = field
  const attribute = {
    slug: `${of.slug}.${name}`,
    name: `${of.name} (${NAMES[name] ?? name})`,
    type: 'text' as const,
    isList: of.isList,
    config: null,
  }
  const stored = storedValue({ ...attribute, part: { of, name } }, object.row)
  return { ...field, attribute, stored, text: sql`(${storedValue(of, object.row)}->>${name}::text)` }
}

const plain = (slug: string, name: string, type: ModelAttribute['type']) => ({
  slug,
  name,
  type,
  isList: false,
  config: null,
})

/** The calendar day of a timestamp, as text. */
const dayOfTimestamp = (timestamp: Sql, timeZone: string): Sql =>
  sql`to_char(${timestamp} at time zone ${timeZone}::text, 'YYYY-MM-DD')`

const namedField = (object: PlannedObject, attribute: PlannedField['attribute'], id: Sql): PlannedField => ({
  ...{ object, attribute, stored: sql`to_jsonb(${id})`, text: sql`${id}::text` },
  ...{ attributeId: undefined, timestamp: undefined },
})

function recordField(object: PlannedObject, slug: string, timeZone: string): PlannedField | undefined {
  const { row, model } = object
  if (!RECORD_FIELDS.some((one) => one === slug)) return undefined
  if (slug === 'id') {
    const config = { allowed_object_id: model.id }
    return namedField(object, { ...plain(slug, 'Record', 'reference'), config }, sql`${row}.id`)
  }
  if (slug === 'created_by')
    return namedField(object, plain(slug, 'Created by', 'member'), sql`${row}.created_by`)
  const isCreation = slug === 'created_at'
  const timestamp = isCreation ? sql`uuid_extract_timestamp(${row}.id)` : sql`${row}.updated_at`
  const day = dayOfTimestamp(timestamp, timeZone)
  return {
    object,
    attribute: plain(slug, isCreation ? 'Created' : 'Updated', 'date'),
    stored: sql`to_jsonb(${day})`,
    text: day,
    attributeId: undefined,
    timestamp,
  }
}

const FIELD = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)(?:\.([A-Za-z0-9_.]+))?$/

/** Where a field is used. */
interface Use {
  /** The path of the field, for problems. */
  path: string
  /** Whether it is only compared. */
  isCompared?: boolean
}

/** The number of an amount can be compared. It cannot be measured, because sums need a currency. */
function partsFor({ attribute: { type, isList }, timestamp }: PlannedField, isCompared: boolean): string[] {
  if (timestamp || (isList && !isCompared)) return []
  return (TYPE_CONTRACTS[type].parts ?? []).filter((one) => isCompared || one !== 'amount')
}

function withPart(
  planning: Planning,
  field: PlannedField,
  part: string | undefined,
  { path, isCompared = false }: Use,
) {
  if (part === undefined) return field
  const { slug } = field.attribute
  const parts = partsFor(field, isCompared)
  if (parts.includes(part)) return part === 'amount' ? field : partOf(field, part)
  const message =
    parts.length > 0
      ? `${slug} has no part ${sentName(part)}: ${instead(part, parts)}`
      : field.attribute.type === 'reference'
        ? `${slug} is a reference: join it, and name the attribute by the alias of the join; only filters follow references`
        : `${slug} has no parts: write it as alias.attribute`
  return planning.note(path, 'unknown_part', message)
}

/** An attribute of the object, or a field of its records. */
function fieldOf(planning: Planning, object: PlannedObject, slug: string): PlannedField | undefined {
  const attribute = object.model.attributes.get(slug)
  if (!attribute) return recordField(object, slug, planning.surroundings.timeZone)
  const stored = storedValue(attribute, object.row)
  const text = textValue(attribute, object.row)
  return { object, attribute, stored, text, attributeId: attribute.id, timestamp: undefined }
}

const unknownOf = ({ surroundings }: Planning, model: ObjectModel, slug: string): string =>
  unknownAttribute(
    model.slug,
    slug,
    toldNames(surroundings.locale, 'attributes', [...model.attributes.keys(), ...RECORD_FIELDS]),
  )

function fieldAlong(planning: Planning, object: PlannedObject, names: string[], use: Use) {
  const found = planPath(planning, object, { names, path: use.path, unknown: unknownOf })
  if (!found) return undefined
  const [slug = '', part] = found.names
  const field = fieldOf(planning, found.object, slug)
  const whole = field && withPart(planning, field, part, use)
  return whole && { ...whole, along: found.along }
}

export function planField(
  planning: Planning,
  objects: readonly PlannedObject[],
  { field, ...use }: Use & { field: unknown },
): PlannedField | undefined {
  const { path } = use
  const [, alias, slug = '', part] = (typeof field === 'string' && FIELD.exec(field)) || []
  if (alias === undefined)
    return planning.note(path, 'invalid_field', `must be written as alias.attribute, not ${sentName(field)}`)
  const object = objects.find((one) => one.alias === alias)
  if (!object) {
    const aliases = objects.map((one) => one.alias)
    return planning.note(
      path,
      'unknown_alias',
      `no object has the alias ${sentName(alias)}: ${instead(alias, aliases)}`,
    )
  }
  const found = fieldOf(planning, object, slug)
  if (!found) return planning.note(path, 'unknown_attribute', unknownOf(planning, object.model, slug))
  if (use.isCompared && part !== undefined && found.attribute.type === 'reference' && found.attributeId)
    return fieldAlong(planning, object, [slug, ...part.split('.')], use)
  return withPart(planning, found, part, use)
}
