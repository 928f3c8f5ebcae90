// Attributes of other objects that point to an object: what a record's related records are found by.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../../contract/objects.ts'
import type { SearchBody } from '../../../../../contract/records.ts'
import { type Attribute, objectQuery, objectsQuery } from '../../../../shared/api/objects.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { targetOf } from '../../../../shared/values/attribute-config.ts'

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
        .filter((attribute) => attribute.type === 'reference' && targetOf(attribute) === targetId)
        .map((attribute) => ({ object, attribute })),
    )

/** "People · Company" */
export const referrerTitle = ({ object, attribute }: Referrer): string =>
  `${object.pluralName} · ${attribute.name}`

const SHOWN = 10

/** The newest of them, and how many there are. */
export const relatedBody = ({ attribute }: Referrer, recordId: string): SearchBody => ({
  filters: [{ attributeSlug: attribute.slug, operator: 'equals', value: recordId }],
  sort: { field: 'created_at', order: 'desc' },
  limit: SHOWN,
})

export function useReferrers(targetId: string): { referrers: Referrer[]; isPending: boolean } {
  const org = useOrg()
  const { data: objects = [] } = useQuery(objectsQuery(org))
  const queries = useQueries({ queries: objects.map(({ slug }) => objectQuery(org, slug)) })
  const loaded = queries.map(({ data }) => data).filter((object) => object !== undefined)
  return { referrers: referrersOf(loaded, targetId), isPending: queries.some(({ isPending }) => isPending) }
}

/** What places a record among its like, then what it is worth or how it is reached. */
const TELLING: readonly (readonly Attribute['type'][])[] = [
  ['select'],
  ['currency', 'email', 'phone_number', 'date'],
]

/** What is shown of a related record beside its name: the values that tell most, two at most. */
export function tellingAttributes(
  { attributes }: ObjectWithAttributes,
  data: Readonly<Record<string, unknown>>,
): Attribute[] {
  const filled = attributes.filter(({ slug, isList }) => !isList && data[slug] !== undefined)
  return TELLING.flatMap(
    (types) => types.map((type) => filled.find((attribute) => attribute.type === type)).find(Boolean) ?? [],
  )
}
