// Suggestions for an unknown name: the nearest known name, or else all known names.
import type { ToldNames } from './told-names.ts'

const LISTED_MAX = 30
const LISTED_CHARACTERS_MAX = 500
const EDITS_MAX = 2
/** A name must have this many letters for each edit, because short names resemble many others. */
const LETTERS_PER_EDIT = 3
const NAME_CHARACTERS_MAX = 64

/** Such as `a, b and 3 more`: a shortened list ends with the number of the other names. */
export function listed(names: readonly string[], max = LISTED_MAX): string {
  let characters = 0
  const shown = names.slice(0, max).filter((name, place) => {
    characters += name.length
    return place === 0 || characters <= LISTED_CHARACTERS_MAX
  })
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : names.join(', ')
}

/** Only the letters and digits, in lower case, so that `First-Name` and `first_name` are equal. */
const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

type Row = readonly number[]

const at = (row: Row, place: number) => row[place] ?? Number.POSITIVE_INFINITY

/** Computes only cells within EDITS_MAX of the diagonal: paths outside have more edits. */
function nextRow(a: string, b: string, i: number, [before, last]: readonly [Row, Row]): number[] {
  const row: number[] = []
  if (i <= EDITS_MAX) row[0] = i
  for (let j = Math.max(1, i - EDITS_MAX); j <= Math.min(b.length, i + EDITS_MAX); j++) {
    const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    row[j] = Math.min(
      at(last, j) + 1,
      at(row, j - 1) + 1,
      at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
    )
  }
  return row
}

/** The number of letters to insert, remove, replace or swap with the next one; Infinity if more than EDITS_MAX. */
function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > EDITS_MAX) return Number.POSITIVE_INFINITY
  let rows: readonly [Row, Row] = [[], Array.from({ length: Math.min(b.length, EDITS_MAX) + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) rows = [rows[1], nextRow(a, b, i, rows)]
  return at(rows[1], b.length)
}

/** The known name that was probably meant: in another spelling, or with one or two wrong letters. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_CHARACTERS_MAX) return undefined
  const wanted = lettersOf(name)
  if (wanted === '') return undefined
  const most = Math.min(EDITS_MAX, Math.floor(wanted.length / LETTERS_PER_EDIT))
  let best: { name: string; edits: number } | undefined
  for (const one of known) {
    const letters = lettersOf(one)
    if (letters === wanted) return one
    const found = most === 0 ? Number.POSITIVE_INFINITY : edits(wanted, letters)
    if (found <= most && found < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name: one, edits: found }
  }
  return best?.name
}

/** `did you mean "name"?`, or `use a, b and 3 more` if no name is near. */
export function instead(name: unknown, known: readonly string[]): string {
  if (known.length === 0) return 'there is none yet'
  const near = typeof name === 'string' ? nearest(name, known) : undefined
  return near === undefined ? `use ${listed(known)}` : `did you mean "${near}"?`
}

/** @param otherwise the advice for a caller that may not read the names */
export const insteadTold = (name: unknown, { names }: ToldNames, otherwise: string): string =>
  names ? instead(name, names) : otherwise

const SHOWN_CHARACTERS = 100

/** The name in a form that can be stored. */
const shown = (name: string) => name.slice(0, SHOWN_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd')

const KINDS: Readonly<Record<string, string>> = { number: 'a number', boolean: 'true or false' }

/** Describes a value that was sent as a name. A value that is not text is described by its kind, not repeated. */
export function sentName(name: unknown): string {
  if (typeof name === 'string') return `"${shown(name)}"`
  if (name === undefined || name === null) return 'nothing'
  return KINDS[typeof name] ?? (Array.isArray(name) ? 'an array' : 'an object')
}

/** @param known slugs of the object's attributes */
export function unknownAttribute(objectSlug: string, slug: unknown, known: ToldNames): string {
  const wanted = `the slug of an attribute of ${objectSlug}`
  if (typeof slug === 'string')
    return `${objectSlug} has no attribute ${sentName(slug)}: ${insteadTold(slug, known, `send ${wanted}`)}`
  const refused = `must be ${wanted}, not ${sentName(slug)}`
  return known.names ? `${refused}: ${instead(slug, known.names)}` : refused
}
