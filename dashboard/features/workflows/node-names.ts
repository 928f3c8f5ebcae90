// The names of the objects that a definition refers to.
import type { CrmObject } from '../../shared/api/objects.ts'

export interface ObjectNames {
  singular: string
  plural: string
}

/** @param ref id or slug @returns undefined if there is no such object */
export type NameOf = (ref: string) => ObjectNames | undefined

/** Lower case for use within a sentence, except names in capitals. */
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
