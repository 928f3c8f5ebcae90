// Derives slugs from names (decisions, section 5): snake_case, `^[a-z][a-z0-9_]{0,62}$`. The service and the preview of
// the dashboard share this code. Both pass `transliterate` of the package transliteration. The service loads its tables
// (7 MB) only if a name has letters outside ASCII.

export const SLUG_MAX = 63

/** The prefix for a name that begins with a digit, because slugs begin with a letter. */
const BEFORE_DIGITS = 'n_'

export type Transliterate = (text: string) => string

/** Converts letters and digits of any script to a-z and 0-9. Other characters stay between them. */
const toAscii = (name: string, transliterate: Transliterate) =>
  transliterate(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/['’‘`´]/g, ' ')
      .replaceAll('€', ' eur '),
  )
    .toLowerCase()
    // Transliterated letters without a Latin equivalent, such as the soft sign, must not split a word.
    .replaceAll(/['"`]/g, '')

export interface Slugs {
  /** `Größe (m²)` → `grosse_m2`, `Имя` → `imya`, `2nd phone` → `n_2nd_phone`; undefined without any letter or digit. */
  slugFrom(name: string): string | undefined
  /** The slug of a name; if the name has no letter or digit, the slug of the kind. */
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
