// Values by which copies of a record are found where its id is not: in files, results, answers and logs.
import type { AttributeType } from '../../contract/attribute-types.ts'

/** A value of an attribute that may tell whose data it is. */
export interface Candidate {
  slug: string
  type: AttributeType
  text: string
}

export interface Markers {
  ids: readonly string[]
  /** In lower case. */
  texts: readonly string[]
}

/** Shorter ones occur by chance. */
const CHARACTERS_MIN = 4
/** Of a longer text its beginning finds it. */
const CHARACTERS_MAX = 200

const partsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(partsOf)
  return []
}

const stringsIn = (value: unknown, keys: readonly string[]): string[] =>
  typeof value === 'object' && value !== null
    ? keys.flatMap((key) => partsOf((value as Record<string, unknown>)[key]))
    : []

/** Of a list each element; of a name both parts and the whole; of an address what one place has alone. */
function textsOf(type: AttributeType, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(type, one))
  switch (type) {
    case 'text':
    case 'email':
    case 'url':
    case 'phone_number':
      return partsOf(value)
    case 'name': {
      const parts = stringsIn(value, ['firstName', 'lastName'])
      return parts.length > 1 ? [...parts, parts.join(' ')] : parts
    }
    case 'address':
      return stringsIn(value, ['line1', 'line2'])
    default:
      return []
  }
}

/**
 * The values of texts, names, addresses and the like, each once. Numbers, dates and options are shared by many records.
 * @param versions of the record, as slug → value
 */
export function candidatesOf(
  versions: readonly Readonly<Record<string, unknown>>[],
  types: ReadonlyMap<string, AttributeType>,
): Candidate[] {
  const found = new Map<string, Candidate>()
  for (const version of versions)
    for (const [slug, value] of Object.entries(version)) {
      const type = types.get(slug)
      if (type === undefined) continue
      for (const one of textsOf(type, value)) {
        const text = one.trim().slice(0, CHARACTERS_MAX)
        if (text.length >= CHARACTERS_MIN) found.set(`${slug} ${text}`, { slug, type, text })
      }
    }
  return [...found.values()]
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** As they are written in plain text and in JSON. */
const spellings = ({ ids, texts }: Markers): string[] => [
  ...new Set([...ids, ...texts, ...texts.map(inJson)]),
]

/** Patterns for `lower(…) like any(…)`. */
export const likePatterns = (markers: Markers): string[] =>
  spellings(markers).map((text) => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`)

/** Whether a text contains one of them. */
export function createMatcher(markers: Markers): (text: string) => boolean {
  const all = spellings(markers)
  return (text) => {
    const lower = text.toLowerCase()
    return all.some((one) => lower.includes(one))
  }
}

export const longestMarker = (markers: Markers): number =>
  Math.max(0, ...spellings(markers).map(({ length }) => length))
