// Attributes of referenced records, with the paths that filters use: `company.industry`, "Company → Industry".
import { useQueries } from '@tanstack/react-query'
import { type Attribute, objectQuery } from '../api/objects.ts'
import { useOrg } from '../use-organization.ts'
import { targetOf } from '../values/attribute-config.ts'
import { filterable } from './record-fields.ts'

/** The attributes of an object, by its id. undefined until they are loaded. */
type AttributesOf = (objectId: string) => readonly Attribute[] | undefined

/** Every object also has the record itself as a reference field (`id`). It leads to no other object. */
const isReference = ({ type, id }: Attribute) => type === 'reference' && id !== 'id'

const after = (reference: Attribute, field: Attribute): Attribute => ({
  ...field,
  id: `${reference.id}.${field.id}`,
  slug: `${reference.slug}.${field.slug}`,
  name: `${reference.name} → ${field.name}`,
  isList: reference.isList || field.isList,
  isRequired: false,
})

const targetIds = (attributes: readonly Attribute[]): string[] =>
  attributes.filter(isReference).flatMap((reference) => targetOf(reference) ?? [])

const across = (references: readonly Attribute[], attributesOf: AttributesOf, far: boolean): Attribute[] =>
  references.filter(isReference).flatMap((reference) => {
    const attributes = attributesOf(targetOf(reference) ?? '') ?? []
    return (far ? attributes : filterable(attributes)).map((field) => after(reference, field))
  })

/** Whether a path leads along a reference. A path to a part, such as `name.lastName`, does not. */
export const isAlong = (path: string, attributes: readonly Attribute[]): boolean =>
  attributes.some((one) => isReference(one) && path.startsWith(`${one.slug}.`))

export interface Along {
  /** Attributes along one reference. */
  near: readonly Attribute[]
  /** Attributes along two references. */
  far: readonly Attribute[]
}

/** @param attributes of one object */
export function alongFields(attributes: readonly Attribute[], attributesOf: AttributesOf): Along {
  const references = across(attributes, attributesOf, true)
  return {
    near: across(attributes, attributesOf, false),
    far: across(references, attributesOf, false),
  }
}

/** The attributes of the loaded objects, by object id. */
function useAttributesOf(ids: readonly string[], isWanted: boolean): AttributesOf {
  const org = useOrg()
  const objects = [...new Set(ids)]
  const found = useQueries({ queries: objects.map((id) => ({ ...objectQuery(org, id), enabled: isWanted })) })
  return (id) => found[objects.indexOf(id)]?.data?.attributes
}

/** @param isWanted whether to load the referenced objects */
export function useAlong(attributes: readonly Attribute[], isWanted: boolean): Along {
  const ids = targetIds(attributes)
  const first = useAttributesOf(ids, isWanted)
  const more = ids.flatMap((id) => targetIds(first(id) ?? []))
  return alongFields(attributes, useAttributesOf([...ids, ...more], isWanted))
}
