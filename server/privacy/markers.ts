// Values by which copies of a record are found without its id: in files, results, answers and logs. Matching data is
// erased, so a marker must identify one person everywhere. "Owner", a job title, is a common word and no marker.
import type { AttributeType } from '../../contract/attribute-types.ts'

export type MarkerKind = 'email' | 'phone' | 'name' | 'url' | 'text'

export interface Marker {
  kind: MarkerKind
  text: string
}

/** A value that may identify a person. */
export interface MarkerCandidate extends Marker {
  /** A name with the last name first, as in files and sorted keys. */
  reversed?: string
}

export interface Markers {
  ids: readonly string[]
  /** Texts in lower case. */
  values: readonly Marker[]
  /** All texts of the record, in lower case. They are searched only in data that is known to be about the record. */
  words: readonly string[]
}

/** Shorter texts are titles, places and remarks, which others have too. */
const TEXT_MIN = 60
/** A longer text is found by its first characters. */
export const CHARACTERS_MAX = 200
const PHONE_DIGITS_MIN = 7
const WORD_MIN = 3

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** A URL with a path: many people can share a host. */
const PAGE = /^https?:\/\/[^\s/?#]+[/?#]+[^\s/?#]\S*$/i
const PHONE = /^\+[\d\s()./-]+$/

const isPhone = (text: string) => PHONE.test(text) && text.replaceAll(/\D/g, '').length >= PHONE_DIGITS_MIN

/** Types with texts. Names and addresses, whose parts are texts, are handled separately. */
const TEXTS: ReadonlySet<AttributeType> = new Set(['text', 'list', 'email', 'url', 'phone_number', 'domain'])

const partsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(partsOf)
  return []
}

const stringsIn = (value: unknown, keys: readonly string[]): string[] =>
  typeof value === 'object' && value !== null
    ? keys.flatMap((key) => partsOf((value as Record<string, unknown>)[key]))
    : []

/** Recognized by the form, in attributes of any type: texts may contain profiles and second addresses. */
function kindOf(text: string): MarkerKind | undefined {
  if (EMAIL.test(text)) return 'email'
  if (PAGE.test(text)) return 'url'
  if (isPhone(text)) return 'phone'
  return text.length >= TEXT_MIN ? 'text' : undefined
}

const nameParts = (value: unknown) =>
  stringsIn(value, ['firstName', 'lastName'])
    .map((part) => part.trim())
    .filter(Boolean)

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]{2}/u.test(word))

/** Only with two words: one word is a first name, or a common word. */
function fullName(value: unknown): MarkerCandidate[] {
  const parts = nameParts(value)
  const text = parts.join(' ')
  if (wordsIn(text).length < 2) return []
  return [{ kind: 'name', text, ...(parts.length > 1 && { reversed: parts.toReversed().join(' ') }) }]
}

function identifying(type: AttributeType, value: unknown): MarkerCandidate[] {
  if (Array.isArray(value)) return value.flatMap((one) => identifying(type, one))
  if (type === 'name') return fullName(value)
  if (!TEXTS.has(type)) return []
  return partsOf(value).flatMap((one) => {
    const text = one.trim().slice(0, CHARACTERS_MAX)
    const kind = kindOf(text)
    return kind ? [{ kind, text }] : []
  })
}

function anyTexts(type: AttributeType, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => anyTexts(type, one))
  if (type === 'name') return nameParts(value)
  if (type === 'address') return stringsIn(value, ['line1', 'line2'])
  return TEXTS.has(type) ? partsOf(value) : []
}

type Versions = readonly Readonly<Record<string, unknown>>[]
type Types = ReadonlyMap<string, AttributeType>

/** The results of `read` for each value of a known attribute. */
const fromValues = <Result>(
  versions: Versions,
  types: Types,
  read: (type: AttributeType, value: unknown) => Result[],
): Result[] =>
  versions.flatMap((version) =>
    Object.entries(version).flatMap(([slug, value]) => {
      const type = types.get(slug)
      return type === undefined ? [] : read(type, value)
    }),
  )

/**
 * Email addresses, phone numbers, full names, URLs and long texts, each once. Numbers, dates, options and short texts
 * are shared by many people.
 * @param versions of the record, as slug → value
 */
export const candidatesOf = (versions: Versions, types: Types): MarkerCandidate[] => [
  ...new Map(
    fromValues(versions, types, identifying).map((one) => [`${one.kind} ${one.text.toLowerCase()}`, one]),
  ).values(),
]

/** Every text of the record, in lower case. */
export const markerWords = (versions: Versions, types: Types): string[] => [
  ...new Set(
    fromValues(versions, types, anyTexts)
      .map((text) => text.trim().slice(0, CHARACTERS_MAX).toLowerCase())
      .filter((text) => text.length >= WORD_MIN),
  ),
]
