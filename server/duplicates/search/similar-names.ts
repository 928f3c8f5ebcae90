// Finds pairs of similar names among many without comparing all pairs. Pure, except that it yields to other work.
//
// Two similar names share at least one of the rarest trigrams of each. Of n trigrams, the n - ceil(t n) + 1 rarest are
// looked up, where t is the minimum similarity. A 64-bit signature of the trigrams rejects most candidates.
import { haveSameNumbers, SIMILAR_FROM, trigramSimilarity, trigramsOf } from '../names.ts'
import type { Turns } from './turns.ts'

/** Up to this number of names, all pairs are compared. */
const FEW = 48
/** Maximum number of names per rare trigram: a name is compared only with the last of them. */
const CANDIDATES_MAX = 64

interface Signed {
  count: number
  low: number
  high: number
}

type Pair = (a: number, b: number) => void

/** The signature of trigrams: each trigram sets one of 64 bits. */
function sign(trigrams: readonly number[]): Signed {
  let [low, high] = [0, 0]
  for (const trigram of trigrams) {
    const bit = (Math.imul(trigram % 0x7fffffff, 0x9e3779b1) >>> 26) & 63
    if (bit < 32) low |= 1 << bit
    else high |= 1 << (bit - 32)
  }
  return { count: trigrams.length, low, high }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns false if too many trigrams of one name are missing in the other. */
function mayBeSimilar(a: Signed, b: Signed): boolean {
  const needed = Math.ceil((SIMILAR_FROM / (1 + SIMILAR_FROM)) * (a.count + b.count))
  if (needed > a.count || needed > b.count) return false
  const missing = bitsIn(a.low & ~b.low) + bitsIn(a.high & ~b.high)
  return missing <= a.count - needed
}

const isSimilar = (a: string, ofA: readonly number[], b: string, ofB: readonly number[]) =>
  a === b || (trigramSimilarity(ofA, ofB) >= SIMILAR_FROM && haveSameNumbers(a, b))

async function compareAll(names: readonly string[], members: ArrayLike<number>, turns: Turns, pair: Pair) {
  const trigrams = Array.from(members, (member) => trigramsOf(names[member] ?? ''))
  for (let i = 1; i < members.length; i++) {
    await turns.pass()
    const [a, ofA] = [members[i] as number, trigrams[i] as number[]]
    for (let j = 0; j < i; j++) {
      const b = members[j] as number
      if (isSimilar(names[a] ?? '', ofA, names[b] ?? '', trigrams[j] as number[])) pair(a, b)
    }
  }
}

async function countTrigrams(names: readonly string[], members: ArrayLike<number>, turns: Turns) {
  const counts = new Map<number, number>()
  for (let place = 0; place < members.length; place++) {
    await turns.pass()
    for (const trigram of trigramsOf(names[members[place] as number] ?? ''))
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
  }
  return counts
}

/** The rarest trigrams first, enough that every similar name has at least one of them. */
function rarest(trigrams: readonly number[], counts: ReadonlyMap<number, number>): number[] {
  const length = trigrams.length - Math.ceil(SIMILAR_FROM * trigrams.length) + 1
  return [...trigrams].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || a - b).slice(0, length)
}

/** Keeps only the last names with the same trigram. */
class Candidates {
  readonly #byTrigram = new Map<number, number[]>()
  readonly #counts = new Map<number, number>()

  of(trigrams: readonly number[]): Set<number> {
    return new Set(trigrams.flatMap((trigram) => this.#byTrigram.get(trigram) ?? []))
  }

  add(place: number, trigrams: readonly number[]): void {
    for (const trigram of trigrams) {
      const held = this.#byTrigram.get(trigram)
      const count = this.#counts.get(trigram) ?? 0
      if (held) held[count % CANDIDATES_MAX] = place
      else this.#byTrigram.set(trigram, [place])
      this.#counts.set(trigram, count + 1)
    }
  }
}

async function compareCandidates(
  names: readonly string[],
  members: ArrayLike<number>,
  turns: Turns,
  pair: Pair,
) {
  const counts = await countTrigrams(names, members, turns)
  const candidates = new Candidates()
  const signed: Signed[] = []
  for (let place = 0; place < members.length; place++) {
    await turns.pass()
    const member = members[place] as number
    const name = names[member] ?? ''
    const trigrams = trigramsOf(name)
    const [own, keys] = [sign(trigrams), rarest(trigrams, counts)]
    for (const one of candidates.of(keys)) {
      if (!mayBeSimilar(own, signed[one] as Signed)) continue
      const other = members[one] as number
      const otherName = names[other] ?? ''
      if (isSimilar(name, trigrams, otherName, trigramsOf(otherName))) pair(member, other)
    }
    signed.push(own)
    candidates.add(place, keys)
  }
}

/**
 * @param names plain names by record
 * @param members records to compare; if very many share a rare trigram, not all pairs are compared
 */
export const findSimilar = (
  names: readonly string[],
  members: ArrayLike<number>,
  turns: Turns,
  pair: Pair,
): Promise<void> =>
  members.length <= FEW
    ? compareAll(names, members, turns, pair)
    : compareCandidates(names, members, turns, pair)
