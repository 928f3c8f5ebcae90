// Describes the filters of an endpoint, and lists their choices.

import { counted } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import type { Endpoint, Portal } from '../api/webhooks.ts'
import type { ChosenTypes } from './event-type-tree.ts'

type Objects = Portal['objects']

const either = listFormat({ type: 'disjunction' })
const list = listFormat({ type: 'conjunction' })

/** Whether the filter by object applies to any of the types. */
export const concernsObjects = (types: ChosenTypes): boolean =>
  types === null || types.some((type) => type.startsWith('record.'))

/** Whether the filter by changed attribute applies to any of the types. */
export const concernsChanges = (types: ChosenTypes): boolean =>
  types === null || types.includes('record.updated')

/** Inactive objects are only counted. `ids` contains no deleted objects. */
export function objectWords(ids: Endpoint['objectIds'], objects: Objects): string {
  if (ids === null) return 'Records of every object'
  if (ids.length === 0) return 'No records: the chosen objects were deleted'
  const known = objects.filter(({ id }) => ids.includes(id)).map(({ pluralName }) => pluralName)
  const inactive = ids.length - known.length
  return `Records of ${list.format([...known, ...(inactive > 0 ? [counted(inactive, 'inactive object')] : [])])}`
}

export function changeWords(slugs: Endpoint['changedAttributes']): string {
  return slugs === null ? 'Every update' : `Updates that change ${either.format(slugs)}`
}

interface Choice {
  value: string
  label: string
}

/** The objects to choose from, including chosen inactive ones, so that they can be removed. */
export function objectChoices(objects: Objects, chosen: readonly string[]): Choice[] {
  const inactive = chosen.filter((id) => objects.every((object) => object.id !== id))
  return [
    ...objects.map(({ id, pluralName }) => ({ value: id, label: pluralName })),
    ...inactive.map((id) => ({ value: id, label: `Inactive object ${id.slice(-6)}` })),
  ]
}

/** Attributes by slug. A slug of several objects is listed once, with the names of all of them. */
export function attributeChoices(
  objects: Objects,
  { objectIds, chosen }: { objectIds: readonly string[]; chosen: readonly string[] },
): Choice[] {
  const offered = objects.filter(({ id }) => objectIds.length === 0 || objectIds.includes(id))
  const all = offered.flatMap(({ pluralName, attributes }) =>
    attributes.map((attribute) => ({ ...attribute, pluralName })),
  )
  const bySlug = Map.groupBy(all, ({ slug }) => slug)
  const found = [...bySlug].map(([value, [first, ...rest]]) => {
    const of = [first, ...rest].map((attribute) => attribute?.pluralName).join(', ')
    return { value, label: `${first?.name ?? value} (${of})` }
  })
  const others = chosen.filter((slug) => !bySlug.has(slug)).map((slug) => ({ value: slug, label: slug }))
  return [...found, ...others]
}
