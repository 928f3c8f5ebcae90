// Free-text search compares words in any order, without case, accents and punctuation. The database folds values by the
// same rule (function search_fold, migration on free-text search).

/** Maximum words of one search. More words do not make a search more precise. */
export const SEARCH_WORDS_MAX = 20

const MARKS = /[\u0300-\u036f]/g
/** Results of NFKD: \u0149 becomes an apostrophe and n, and wide apostrophes become plain ones. */
const MARKS_AND_APOSTROPHES = /[\u0300-\u036f'\u02bc`]/g
const APOSTROPHES = /['\u2018\u2019\u02bc`\u00b4]/g

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
}
const TO_REPLACE = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** The text in the form that searches compare: "José O’Neil" → "jose oneil". */
export const foldText = (text: string): string =>
  text
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .replace(MARKS_AND_APOSTROPHES, '')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(TO_REPLACE, (letter) => LETTERS[letter] ?? letter)

/** A part of an email address or domain, in which punctuation is also searched. */
const ADDRESS = /[\p{L}\p{N}][@.][\p{L}\p{N}]/u
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u
const BETWEEN_ADDRESSES = /[^\p{L}\p{N}\p{M}@.+_-]+/u
const AROUND = /^[@.+_-]+|[@.+_-]+$/g

const wordsOf = (part: string): string[] =>
  ADDRESS.test(part)
    ? part.split(BETWEEN_ADDRESSES).map((word) => word.replace(AROUND, ''))
    : part.split(BETWEEN_WORDS)

/** The distinct words of a search, folded; [] for a text of only punctuation. */
export const searchWords = (text: string): string[] => [
  ...new Set(foldText(text).split(/\s+/).flatMap(wordsOf).filter(Boolean)),
]

/** Whether the text contains every word of a search. */
export function hasWords(text: string, search: string): boolean {
  const folded = foldText(text)
  const words = searchWords(search)
  if (words.length === 0) return text.toLowerCase().includes(search.trim().toLowerCase())
  return words.every((word) => folded.includes(word))
}
