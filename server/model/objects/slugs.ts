// Slugs made from names, and free slugs (decisions, section 5).
import { createRequire } from 'node:module'
import { SLUG_MAX, slugsWith, type Transliterate } from '../../../contract/slugs.ts'

const require = createRequire(import.meta.url)
const ASCII = /^[\x20-\x7e]*$/

/** ASCII text stays unchanged. */
const transliterate: Transliterate = (text) =>
  ASCII.test(text)
    ? text
    : (require('transliteration') as { transliterate: Transliterate }).transliterate(text)

export const { slugFrom, slugFor } = slugsWith(transliterate)

/** The slug itself if it is free, or else the slug with the first free suffix `_2`, `_3` … */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let candidate = slug
  for (let number = 2; isTaken(candidate); number++) {
    const suffix = `_${number}`
    candidate = slug.slice(0, SLUG_MAX - suffix.length) + suffix
  }
  return candidate
}
