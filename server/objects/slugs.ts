// Slugs that are not taken (decisions, section 5).
import { SLUG_MAX } from '../../contract/slugs.ts'

/** The slug itself when it is free, else with the first suffix `_2`, `_3` … that is. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let candidate = slug
  for (let number = 2; isTaken(candidate); number++) {
    const suffix = `_${number}`
    candidate = slug.slice(0, SLUG_MAX - suffix.length) + suffix
  }
  return candidate
}
