// A record's related records: attributes of objects that refer to it, and what it refers to itself.
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

/** In the order of the objects and their attributes. */
export const referrersOf = (objects: readonly ObjectWithAttributes[], targetId: string): Referrer[] =>
  objects
    .filter(({ isActive }) => isActive)
    .flatMap((object) =>
      object.attributes
        .filter((attribute) => targetOf(attribute) === targetId)
        .map((attribute) => ({ object, attribute })),
    )

/** "People"; "Deals · Contact" where records of the object refer in more than one way. */
export const referrerTitle = (
  { object, attribute }: Referrer,
  referrers: readonly Pick<Referrer, 'object'>[],
): string =>
  referrers.filter((one) => one.object.id === object.id).length > 1
    ? `${object.pluralName} · ${attribute.name}`
    : object.pluralName

/** What a record refers to through one attribute. */
export interface Reference {
  attribute: Attribute
  target: ObjectWithAttributes
  /** At most SHOWN of them. */
  ids: readonly string[]
  /** How many more there are. */
  more: number
}

/** The newest of them, and how many there are. */
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

/** What refers to the record, and what it refers to. */
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

/** What places a record among its like, then what it is worth or how it is reached. */
const TELLING: readonly (readonly Attribute['type'][])[] = [
  ['select'],
  ['currency', 'email', 'phone_number', 'date'],
]

/**
 * What is shown of a related record below its name: the values that tell most, three at most. With an amount comes
 * a day, since several deals with a company may have one name.
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
