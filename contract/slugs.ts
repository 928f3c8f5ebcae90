// Slugs made from names (decisions, section 5): snake_case, `^[a-z][a-z0-9_]{0,62}$`. The service and the dashboard's
// preview share this.
import { transliterate } from 'transliteration'

export const SLUG_MAX = 63

/** Slugs begin with a letter: this stands before a name that begins with a digit. */
const BEFORE_DIGITS = 'n_'

/** Letters and digits of any script in a-z and 0-9, with any other characters between them. */
const toAscii = (name: string) =>
  transliterate(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/['’‘`´]/g, ' ')
      .replaceAll('€', ' eur '),
  )
    .toLowerCase()
    // Signs of letters that Latin does not have, such as the soft sign: no ends of words.
    .replaceAll(/['"`]/g, '')

/** `Größe (m²)` → `grosse_m2`, `Имя` → `imya`, `2nd phone` → `n_2nd_phone`; undefined without any letter or digit. */
export function slugFrom(name: string): string | undefined {
  const words = toAscii(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('_')
  const slug = (/^\d/.test(words) ? BEFORE_DIGITS + words : words).slice(0, SLUG_MAX).replace(/_+$/, '')
  return slug === '' ? undefined : slug
}

/** The slug that is made from a name; where it has no letter or digit, from what it names. */
export const slugFor = (kind: 'attribute' | 'object', name: string): string => slugFrom(name) ?? kind
