// Slugs made from names (decisions, section 5): snake_case, `^[a-z][a-z0-9_]{0,62}$`.
export const SLUG_MAX = 63

// Letters that Unicode does not decompose into an ASCII letter and a mark.
const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

const fold = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => FOLDED[letter] ?? '')

/** `Größe (m²)` → `grosse_m2`; undefined when the name has no ASCII letter even after folding. */
export function slugFrom(name: string): string | undefined {
  const words = fold(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words
    .join('_')
    .replace(/^[0-9_]+/, '')
    .slice(0, SLUG_MAX)
    .replace(/_+$/, '')
  return slug === '' ? undefined : slug
}
