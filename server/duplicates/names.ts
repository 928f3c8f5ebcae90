// The similarity of two names by their trigrams, which are counted as in pg_trgm. Pure.
import { foldText } from '../../contract/search-text.ts'

/** Minimum share of common trigrams among all trigrams of two similar names. */
export const SIMILAR_FROM = 0.6

/** Words that denote the legal form of a company. */
const LEGAL_FORMS = new Set(
  'ab ag aps as bv co company corp corporation gmbh inc incorporated kg limited llc llp ltd mbh nv oy plc pty sa sarl sas spa srl'.split(
    ' ',
  ),
)

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u

/**
 * The name without case, accents and punctuation. Company names also lose their legal form, unless nothing else is
 * left. "Acme, Inc." becomes "acme".
 */
export function plainName(name: string, { isCompany }: { isCompany: boolean }): string {
  const words = foldText(name).split(BETWEEN_WORDS).filter(Boolean)
  const telling = isCompany ? words.filter((word) => !LEGAL_FORMS.has(word)) : words
  return (telling.length > 0 ? telling : words).join(' ')
}

const trigramAt = (padded: string, at: number): number =>
  (padded.charCodeAt(at) * 0x10000 + padded.charCodeAt(at + 1)) * 0x10000 + padded.charCodeAt(at + 2)

/** The different trigrams of a plain name as numbers, in ascending order. */
export function trigramsOf(plain: string): number[] {
  const found = new Set<number>()
  for (const word of plain.split(' ')) {
    const padded = `  ${word} `
    for (let at = 0; at + 2 < padded.length; at++) found.add(trigramAt(padded, at))
  }
  return [...found].sort((a, b) => a - b)
}

/** Number of common trigrams. */
function shared(a: readonly number[], b: readonly number[]): number {
  let [i, j, count] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const difference = (a[i] as number) - (b[j] as number)
    if (difference === 0) count++
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return count
}

/** Returns a value between 0 and 1. */
export function trigramSimilarity(a: readonly number[], b: readonly number[]): number {
  const both = shared(a, b)
  return both === 0 ? 0 : both / (a.length + b.length - both)
}

const numbersIn = (plain: string) => plain.match(/\p{N}+/gu)?.join(' ') ?? ''

/** Names with different numbers are different names: "Renewal 2025" and "Renewal 2026". */
export const haveSameNumbers = (a: string, b: string): boolean => numbersIn(a) === numbersIn(b)
