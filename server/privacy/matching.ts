// Finds markers in texts as whole values or words, with the same expressions in PostgreSQL and in this process. Keys of
// JSON are never matched, because they are words of the model.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Marker, MarkerKind, Markers } from './markers.ts'

/** Characters that continue a value, besides letters and digits: `jo.ann@x.example` is not `ann@x.example`. */
const JOINS: Readonly<Record<MarkerKind, { before: string; after: string }>> = {
  email: { before: '.+%-', after: '.@-' },
  phone: { before: '', after: '' },
  name: { before: '-', after: '-' },
  url: { before: '', after: './?#=&%-' },
  text: { before: '', after: '' },
}

/** The longest gap between the words of a name, in characters: a space, or the end of a cell or of a value in JSON. */
const BETWEEN_MAX = 8

/** Letters and digits in a bracket expression. */
const WORD = { postgres: '[:alnum:]_', js: '\\p{L}\\p{N}_' } as const
type Dialect = keyof typeof WORD

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const spellingsOf = (text: string) => [...new Set([text, inJson(text)])]
const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function patternOf({ kind, text }: Marker, dialect: Dialect): string {
  const word = WORD[dialect]
  const { before, after } = JOINS[kind]
  const start = before === '' ? `(?:^|[^${word}])` : `(?:^|[^${word}${before}]|(?:^|[^${word}])[${before}])`
  const end = after === '' ? `(?:$|[^${word}])` : `(?:$|[^${word}${after}]|[${after}](?:$|[^${word}]))`
  const found = spellingsOf(text).map((spelling) =>
    kind === 'name'
      ? spelling.split(/\s+/).map(escapePattern).join(`[^${word}]{1,${BETWEEN_MAX}}`)
      : escapePattern(spelling),
  )
  // Of a long text only the first characters are known.
  return `${start}(?:${found.join('|')})${kind === 'text' ? '' : end}`
}

const patternOfAll = (values: readonly Marker[], dialect: Dialect) =>
  values.map((one) => patternOf(one, dialect)).join('|')

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

/** Patterns for `like` that match lower-case texts that contain one of these. */
export const likePatterns = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap(spellingsOf).map((text) => `%${escapeLike(text)}%`)),
]

/** Like likePatterns, for all texts that the expression may match: a cheap first filter. */
const coarsePatterns = (values: readonly Marker[]): string[] => [
  ...new Set(
    values.flatMap(({ kind, text }) =>
      spellingsOf(text).map((one) =>
        kind === 'name' ? `%${one.split(/\s+/).map(escapeLike).join('%')}%` : `%${escapeLike(one)}%`,
      ),
    ),
  ),
]

/** Keys with their colon, and escapes that end with a letter directly before a word. */
const KEYS = String.raw`"(?:[^"\\]|\\.)*"\s*:|\\[bfnrt]`
const ALL_KEYS = new RegExp(KEYS, 'g')

/** SQL of columns with text, and of columns with JSON as text. */
interface Columns {
  texts?: readonly Sql[]
  json?: readonly Sql[]
}

/** More characters than the words of a name may have between them. */
const APART = sql`repeat(' ', ${BETWEEN_MAX + 1}::int)`
const together = (columns: readonly Sql[]) => sql`lower(concat_ws(${APART}, ${join(columns)}))`

/** SQL condition: whether the columns of a row contain a marker. */
export function hasMarker(markers: Markers, { texts = [], json = [] }: Columns): Sql {
  const all = together([...texts, ...json])
  const hasId = sql`${all} like any(${likePatterns(markers.ids)}::text[])`
  if (markers.values.length === 0) return hasId
  const values = together([
    ...texts,
    ...json.map((one) => sql`regexp_replace(${one}, ${KEYS}::text, ' ', 'g')`),
  ])
  return sql`(${hasId} or (${all} like any(${coarsePatterns(markers.values)}::text[])
    and ${values} ~ ${patternOfAll(markers.values, 'postgres')}::text))`
}

/** A function that returns whether a text contains a marker. */
export function createMatcher({ ids, values }: Markers): (text: string) => boolean {
  const pattern = values.length > 0 ? new RegExp(patternOfAll(values, 'js'), 'u') : undefined
  return (text) => {
    const lower = text.toLowerCase()
    return ids.some((id) => lower.includes(id)) || (pattern?.test(lower) ?? false)
  }
}

/** A function that returns whether the values in a JSON text contain a marker. */
export function createJsonMatcher(markers: Markers): (json: string) => boolean {
  const matches = createMatcher(markers)
  return (json) => matches(json.replaceAll(ALL_KEYS, ' '))
}

/** The most characters of a match, with those before and after it. */
export const longestMarker = ({ ids, values }: Markers): number =>
  Math.max(
    0,
    ...ids.map(({ length }) => length),
    ...values.flatMap(({ text }) =>
      spellingsOf(text).map(({ length }) => length + text.split(/\s+/).length * BETWEEN_MAX),
    ),
  ) + 4
