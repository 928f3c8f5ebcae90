// The related records of a record: attributes that refer to it, and the records that it refers to.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { SearchBody } from '../../../../contract/records.ts'
import { type Attribute, objectQuery, objectsQuery } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'

const SHOWN = 10

export interface Referrer {
  object: ObjectWithAttributes
  attribute: Attribute
}

/** The attributes that refer to the object, in the order of objects and attributes. */
export const referrersOf = (objects: readonly ObjectWithAttributes[], targetId: string): Referrer[] =>
  objects
    .filter(({ isActive }) => isActive)
    .flatMap((object) =>
      object.attributes
        .filter((attribute) => targetOf(attribute) === targetId)
        .map((attribute) => ({ object, attribute })),
    )

/** "People"; "Deals · Contact" if several attributes of the object refer to the record. */
export const referrerTitle = (
  { object, attribute }: Referrer,
  referrers: readonly Pick<Referrer, 'object'>[],
): string =>
  referrers.filter((one) => one.object.id === object.id).length > 1
    ? `${object.pluralName} · ${attribute.name}`
    : object.pluralName

/** The records to which one attribute of a record points. */
export interface Reference {
  attribute: Attribute
  target: ObjectWithAttributes
  /** At most SHOWN ids. */
  ids: readonly string[]
  /** The number of further ids. */
  more: number
}

/** Requests the newest referring records and their number. */
export const relatedBody = ({ attribute }: Referrer, recordId: string): SearchBody => ({
  filters: [{ attributeSlug: attribute.slug, operator: 'equals', value: recordId }],
  sort: { field: 'created_at', order: 'desc' },
  limit: SHOWN,
})

/** The references of the record that have a value, in the order of the attributes. */
export const referencesOf = (
  attributes: readonly Attribute[],
  data: Readonly<Record<string, unknown>>,
  objects: readonly ObjectWithAttributes[],
): Reference[] =>
  attributes.flatMap((attribute) => {
    const target = objects.find(({ id }) => id === targetOf(attribute))
    const ids = [data[attribute.slug] ?? []].flat().map(String)
    if (!target || ids.length === 0) return []
    return [{ attribute, target, ids: ids.slice(0, SHOWN), more: Math.max(0, ids.length - SHOWN) }]
  })

interface Related {
  referrers: Referrer[]
  references: Reference[]
  isPending: boolean
}

/** The referring attributes and the references of the record. */
export function useRelated(object: ObjectWithAttributes, record: CrmRecord): Related {
  const org = useOrg()
  const { data: objects = [] } = useQuery(objectsQuery(org))
  const queries = useQueries({ queries: objects.map(({ slug }) => objectQuery(org, slug)) })
  const loaded = queries.map(({ data }) => data).filter((object) => object !== undefined)
  return {
    referrers: referrersOf(loaded, object.id),
    references: referencesOf(object.attributes, record.data, loaded),
    isPending: queries.some(({ isPending }) => isPending),
  }
}

/** Types of values to show: a select such as the stage, then an amount, contact value or date. */
const TELLING: readonly (readonly Attribute['type'][])[] = [
  ['select'],
  ['currency', 'email', 'phone_number', 'date'],
]

/**
 * The values shown below the name of a related record, at most three. An amount is shown with a date, because several
 * deals with a company may have the same name.
 */
export function tellingAttributes(
  { attributes }: ObjectWithAttributes,
  data: Readonly<Record<string, unknown>>,
): Attribute[] {
  const filled = attributes.filter(({ slug, isList }) => !isList && data[slug] !== undefined)
  const firstOf = (type: Attribute['type']) => filled.find((attribute) => attribute.type === type)
  const telling = TELLING.flatMap((types) => types.map(firstOf).find(Boolean) ?? [])
  const day = telling.some(({ type }) => type === 'currency') ? firstOf('date') : undefined
  return day ? [...telling, day] : telling
}
