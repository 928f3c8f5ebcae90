// The attributes by which records can be grouped and summed, and the order of the groups.

import { type AttributeType, GROUPABLE, SUMMABLE } from '../../../contract/attribute-types.ts'
import type { Group } from '../../../contract/groups.ts'
import { invalidField } from '../../base/errors.ts'
import { unknownAttribute } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'

export interface Grouping {
  by: ModelAttribute
  sumOf: ModelAttribute | undefined
}

function requireAttribute(
  model: ObjectModel,
  { slug, path, types }: { slug: string; path: string; types: ReadonlySet<AttributeType> },
  asking: Asking,
): ModelAttribute {
  const attribute = model.attributes.get(slug)
  if (!attribute)
    throw invalidField(
      path,
      'unknown_attribute',
      unknownAttribute(model.slug, slug, toldNames(asking, 'attributes', model.attributes.keys())),
    )
  if (attribute.isList || !types.has(attribute.type)) {
    const kind = attribute.isList ? 'a list' : `of type ${attribute.type}`
    throw invalidField(path, 'wrong_type', `must be of type ${[...types].join(', ')}: ${slug} is ${kind}`)
  }
  return attribute
}

/** @param paths paths of the two slugs in the request, for the error @throws 400 validation_error */
export function groupingOf(
  model: ObjectModel,
  { by, sumOf }: { by: string; sumOf?: string | undefined },
  paths: { by: string; sumOf: string },
  asking: Asking,
): Grouping {
  return {
    by: requireAttribute(model, { slug: by, path: paths.by, types: GROUPABLE }, asking),
    sumOf:
      sumOf === undefined
        ? undefined
        : requireAttribute(model, { slug: sumOf, path: paths.sumOf, types: SUMMABLE }, asking),
  }
}

/** The groups that are shown even when they are empty, in their order. */
function standingValues({ type, config }: Pick<ModelAttribute, 'type' | 'config'>): (string | null)[] {
  if (type === 'checkbox') return ['true', 'false', null]
  return type === 'select' && config && 'options' in config ? [...config.options, null] : []
}

const byMonth = (a: Group, b: Group) => ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
const nullLast = (a: Group, b: Group) => Number(a.value === null) - Number(b.value === null)

/** @param found groups with records, the largest first */
export function sortedGroups(by: Pick<ModelAttribute, 'type' | 'config'>, found: readonly Group[]): Group[] {
  const standing = standingValues(by)
  if (standing.length === 0) {
    const sorted = by.type === 'date' ? found.toSorted(byMonth) : found
    return sorted.toSorted(nullLast)
  }
  const byValue = new Map(found.map((group) => [group.value, group]))
  // An option can be removed while records have it: its group is still shown.
  const others = found.filter(({ value }) => !standing.includes(value))
  const ordered = standing.map((value) => byValue.get(value) ?? { value, count: 0, sums: [] })
  return [...ordered, ...others].toSorted(nullLast)
}
