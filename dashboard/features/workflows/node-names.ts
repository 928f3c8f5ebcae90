// What the objects that a definition refers to are called.
import type { CrmObject } from '../../shared/api/objects.ts'

export interface ObjectNames {
  singular: string
  plural: string
}

/** By id or slug; undefined: there is no such object (any more). */
export type NameOf = (ref: string) => ObjectNames | undefined

/** In lower case, as inside a sentence; what is all capitals stays. */
export const inSentence = (name: string) => (name === name.toUpperCase() ? name : name.toLowerCase())

export function namesOf(
  objects: readonly Pick<CrmObject, 'id' | 'slug' | 'singularName' | 'pluralName'>[],
): NameOf {
  const names = new Map<string, ObjectNames>()
  for (const { id, slug, singularName, pluralName } of objects) {
    const both = { singular: inSentence(singularName), plural: inSentence(pluralName) }
    names.set(id, both).set(slug, both)
  }
  return (ref) => names.get(ref)
}

/** `close_date` → `close date` */
export const slugWords = (slug: string): string => slug.replaceAll('_', ' ')

/** `a deal`, `an order` */
export const oneOf = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
