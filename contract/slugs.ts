// Slugs made from names (decisions, section 5): snake_case, `^[a-z][a-z0-9_]{0,62}$`. The service and the dashboard's
// preview share this. Both bring `transliterate` of the package transliteration: the service loads its tables, 7 MB,
// when a name has other letters than those of ASCII.

export const SLUG_MAX = 63

/** Slugs begin with a letter: this is the prefix for a name that begins with a digit. */
const BEFORE_DIGITS = 'n_'

export type Transliterate = (text: string) => string

/** Letters and digits of any script in a-z and 0-9, with any other characters between them. */
const toAscii = (name: string, transliterate: Transliterate) =>
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

export interface Slugs {
  /** `Größe (m²)` → `grosse_m2`, `Имя` → `imya`, `2nd phone` → `n_2nd_phone`; undefined without any letter or digit. */
  slugFrom(name: string): string | undefined
  /** The slug that is made from a name; where it has no letter or digit, from what it names. */
  slugFor(kind: 'attribute' | 'object', name: string): string
}

export function slugsWith(transliterate: Transliterate): Slugs {
  const slugFrom = (name: string) => {
    const words = toAscii(name, transliterate)
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '')
      .join('_')
    const slug = (/^\d/.test(words) ? BEFORE_DIGITS + words : words).slice(0, SLUG_MAX).replace(/_+$/, '')
    return slug === '' ? undefined : slug
  }
  return { slugFrom, slugFor: (kind, name) => slugFrom(name) ?? kind }
}
