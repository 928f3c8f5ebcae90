// Slugs made from names, and those that are not taken (decisions, section 5).
import { createRequire } from 'node:module'
import { SLUG_MAX, slugsWith, type Transliterate } from '../../../contract/slugs.ts'

const require = createRequire(import.meta.url)
const ASCII = /^[\x20-\x7e]*$/

/** ASCII stays as it is. */
const transliterate: Transliterate = (text) =>
  ASCII.test(text)
    ? text
    : (require('transliteration') as { transliterate: Transliterate }).transliterate(text)

export const { slugFrom, slugFor } = slugsWith(transliterate)

/** The slug itself when it is free, else with the first suffix `_2`, `_3` … that is. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let candidate = slug
  for (let number = 2; isTaken(candidate); number++) {
    const suffix = `_${number}`
    candidate = slug.slice(0, SLUG_MAX - suffix.length) + suffix
  }
  return candidate
}
