// Free-text search in the values of records: every word must occur, regardless of case, accents and punctuation
// (contract/search-text.ts). Pure: words become parameters.
import sql, { join, type Sql } from 'sql-template-tag'
import { SEARCH_WORDS_MAX, searchWords } from '../../../contract/search-text.ts'
import { singleLine } from '../../../contract/single-line.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import { comparedHost } from '../values/compared-host.ts'
import type { FilteredAttribute } from './check.ts'
import { comparableText, elements, lower, storedValue } from './comparable.ts'
import { allOf, anyOf, compileFilter, type RecordFilter } from './to-sql.ts'

const PHONE = /^[\d\s()+./-]+$/
/** Fewer digits would be in too many numbers. */
const PHONE_DIGITS_MIN = 3

/** Whether a text may be a part of a phone number. */
export const isPhone = (text: string): boolean =>
  PHONE.test(text) && text.replaceAll(/\D/g, '').length >= PHONE_DIGITS_MIN

/** Whether a text is a page address. It may have more words than its host name, by which domains are compared. */
function isAddress(text: string): boolean {
  const host = comparedHost(text.trim())
  return host !== undefined && host !== text.trim().toLowerCase()
}

/** The normalized text of the search. */
export const foldedText = (text: Sql): Sql => sql`search_fold(${text})`

/** The comparable text of all values of an attribute of `records r`. */
function textsOf(attribute: FilteredAttribute): Sql {
  const stored = storedValue(attribute)
  if (!attribute.isList && attribute.type !== 'list') return comparableText(attribute.type, stored)
  return sql`(select string_agg(${comparableText(attribute.type, sql`element`)}, chr(10)) from ${elements(stored)})`
}

const hasWord = (texts: Sql, word: string) => sql`coalesce(strpos(${texts}, ${word}::text) > 0, false)`

/** Whether a text contains every word of the search. A search without words is compared as a whole, ignoring case. */
export function hasText(text: Sql, search: string): Sql {
  const words = searchWords(search)
  if (words.length === 0) return sql`strpos(${lower(text)}, ${lower(sql`${singleLine(search)}::text`)}) > 0`
  const folded = foldedText(text)
  return sql`(${join(
    words.map((word) => hasWord(folded, word)),
    ' and ',
  )})`
}

const wordIn = (attribute: FilteredAttribute, word: string): RecordFilter => ({
  condition: hasWord(foldedText(textsOf(attribute)), word),
  leaf: undefined,
  word: { attribute, word },
})

const allTexts = (attributes: readonly FilteredAttribute[]) =>
  foldedText(sql`concat_ws(chr(10), ${join(attributes.map(textsOf))})`)

/** One filter for each word, the longest first, because it matches the fewest records. */
function wordFilters(attributes: readonly FilteredAttribute[], words: readonly string[]): RecordFilter[] {
  const texts = allTexts(attributes)
  const sorted = words.toSorted((a, b) => b.length - a.length)
  return sorted.map((word) => ({
    condition: hasWord(texts, word),
    leaf: undefined,
    any: attributes.map((attribute) => wordIn(attribute, word)),
  }))
}

const NOTHING: RecordFilter = { condition: sql`false`, leaf: undefined }

const comparing = (
  attribute: FilteredAttribute,
  operator: 'contains' | 'equals',
  { text, locale }: { text: string; locale: Locale },
): RecordFilter[] => {
  const compiled = compileFilter({ attribute, operator, value: text }, locale)
  return 'problem' in compiled ? [] : [compiled]
}

/** Searches a text that may be a phone number or an address as a whole, in attributes of these types. */
function wholeSearch(text: string, locale: Locale): (attribute: FilteredAttribute) => RecordFilter[] {
  const asked = { text, locale }
  const [mayBePhone, mayBeAddress] = [isPhone(text), isAddress(text)]
  return (attribute) => {
    if (mayBePhone && attribute.type === 'phone_number') return comparing(attribute, 'contains', asked)
    return mayBeAddress && attribute.type === 'domain' ? comparing(attribute, 'equals', asked) : []
  }
}

export interface TextSearch {
  /** The whole condition. */
  filter: RecordFilter
  /** One filter for each word; none if the text has no words, or may be a phone number or an address. */
  words: readonly RecordFilter[]
  /** Whether a single attribute has any word of the text. */
  isIn(attribute: FilteredAttribute): Sql
  /** Whether a single attribute has all of the text. */
  hasAll(attribute: FilteredAttribute): Sql
}

/** A text without words, such as "%", is searched for unchanged. */
function literalSearch(attributes: readonly ModelAttribute[], text: string, locale: Locale): TextSearch {
  const inOne = (attribute: FilteredAttribute) =>
    comparing(attribute, 'contains', { text, locale })[0]?.condition ?? sql`false`
  const searched = attributes.filter(({ type }) => type !== 'select' && type !== 'phone_number')
  const filters = searched.flatMap((attribute) => comparing(attribute, 'contains', { text, locale }))
  return { filter: filters.length > 0 ? anyOf(filters) : NOTHING, words: [], isIn: inOne, hasAll: inOne }
}

/** @param attributes the attributes to search; those without words are ignored @param text storable, and not empty */
export function compileTextSearch(
  attributes: readonly ModelAttribute[],
  text: string,
  locale: Locale,
): TextSearch {
  const worded = attributes.filter(({ type }) => RECORD_TYPES[type].isWorded)
  const words = searchWords(text).slice(0, SEARCH_WORDS_MAX)
  if (words.length === 0) return literalSearch(worded, text.trim(), locale)
  const asWhole = wholeSearch(text, locale)
  const whole = attributes.flatMap(asWhole)
  const filters = worded.length > 0 ? wordFilters(worded, words) : []
  const found = [...(filters.length > 0 ? [allOf(filters)] : []), ...whole]
  const conditionsIn = (attribute: FilteredAttribute) => {
    const [filter] = asWhole(attribute)
    return filter ? [filter.condition] : words.map((word) => wordIn(attribute, word).condition)
  }
  const [only] = found
  return {
    filter: found.length > 1 ? anyOf(found) : (only ?? NOTHING),
    words: whole.length > 0 ? [] : filters,
    isIn: (attribute) => sql`(${join(conditionsIn(attribute), ' or ')})`,
    hasAll: (attribute) => sql`(${join(conditionsIn(attribute), ' and ')})`,
  }
}
