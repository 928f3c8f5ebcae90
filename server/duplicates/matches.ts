// Finds records that match the given values of one or more records by the rules. Candidates are looked up by shared
// values, so that not every pair is compared.
import { DUPLICATE_MATCHES_MAX } from '../../contract/duplicates.ts'
import type { Db } from '../db/pool.ts'
import { type CandidateScope, findCandidates } from './candidates.ts'
import { type Compared, comparedByAll, type RecordValues, reasonsOf } from './compared.ts'
import { SIMILAR_FROM, trigramsOf } from './names.ts'
import type { Rule } from './rules.ts'

export interface Match {
  id: string
  /** Ids of rules. */
  reasons: string[]
}

/** Most reasons first, then the oldest record. */
const byReasons = (a: Match, b: Match) => b.reasons.length - a.reasons.length || (a.id < b.id ? -1 : 1)

function addPlace<Key>(places: Map<Key, number[]>, key: Key, place: number): void {
  const found = places.get(key)
  if (found) found.push(place)
  else places.set(key, [place])
}

/** The candidates by their values of one rule. A place is the index of a candidate. */
class ByRule {
  readonly #keys = new Map<string, number[]>()
  readonly #names = new Map<string, number[]>()
  readonly #companies = new Map<string, number[]>()
  readonly #trigrams = new Map<number, number[]>()
  readonly #hasCompany: boolean

  constructor({ company }: Rule) {
    this.#hasCompany = company !== undefined
  }

  add({ keys, name, company }: Compared, place: number): void {
    for (const key of keys) addPlace(this.#keys, key, place)
    if (name === undefined) return
    addPlace(this.#names, name, place)
    if (company !== undefined) addPlace(this.#companies, company, place)
    if (!this.#hasCompany) for (const trigram of trigramsOf(name)) addPlace(this.#trigrams, trigram, place)
  }

  /** The places of candidates that may match. */
  of({ keys, name, company }: Compared): number[] {
    const found = keys.flatMap((key) => this.#keys.get(key) ?? [])
    if (name === undefined) return found
    const colleagues = company === undefined ? [] : (this.#companies.get(company) ?? [])
    const similar = this.#hasCompany ? [] : this.#similar(name)
    return [...found, ...(this.#names.get(name) ?? []), ...colleagues, ...similar]
  }

  /** The places of candidates that share enough trigrams for a similar name. */
  #similar(name: string): number[] {
    const trigrams = trigramsOf(name)
    const shared = new Map<number, number>()
    for (const trigram of trigrams)
      for (const place of this.#trigrams.get(trigram) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
    const needed = SIMILAR_FROM * trigrams.length
    return [...shared].flatMap(([place, count]) => (count >= needed ? [place] : []))
  }
}

/** @returns at most DUPLICATE_MATCHES_MAX matches for each input */
export async function findMatches(
  db: Db,
  scope: CandidateScope,
  rules: readonly Rule[],
  inputs: readonly RecordValues[],
): Promise<Match[][]> {
  if (rules.length === 0) return inputs.map(() => [])
  const asked = inputs.map((values) => ({ values, compared: comparedByAll(rules, values) }))
  const found = await findCandidates(db, scope, rules, asked)
  const candidates = found.map((one) => ({ id: one.id, compared: comparedByAll(rules, one) }))
  const byRule = rules.map((rule) => new ByRule(rule))
  for (const [place, { compared }] of candidates.entries())
    for (const [at, one] of compared.entries()) byRule[at]?.add(one, place)
  return asked.map(({ compared }) => {
    const places = new Set(compared.flatMap((one, at) => byRule[at]?.of(one) ?? []))
    return [...places]
      .flatMap((place) => candidates[place] ?? [])
      .map(({ id, compared: other }) => ({ id, reasons: reasonsOf(rules, compared, other) }))
      .filter(({ reasons }) => reasons.length > 0)
      .sort(byReasons)
      .slice(0, DUPLICATE_MATCHES_MAX)
  })
}
