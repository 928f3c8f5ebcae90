// Finds possible duplicates among very many records. Records are added one by one, and take about 100 bytes each. Pure,
// except that it yields to other work. The results are verified before they are stored.
import type { Compared } from '../compared.ts'
import type { Rule } from '../rules.ts'
import { findSimilar } from './similar-names.ts'
import { createTurns } from './turns.ts'
import { Unions } from './unions.ts'

const ID_BYTES = 16
const PARTS = 1024

/** A 53-bit hash. Among a million different texts, a collision has a probability of 1 in 10,000. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** The first record with each key. Uses many small maps, because the growth of one large map blocks the process. */
class FirstByKey {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<number, number>())

  #part(hash: number): Map<number, number> {
    return this.#parts[hash % PARTS] as Map<number, number>
  }

  get(key: string): number | undefined {
    const hash = hashOf(key)
    return this.#part(hash).get(hash)
  }

  /** @returns the record that already had the key */
  take(key: string, record: number): number | undefined {
    const hash = hashOf(key)
    const first = this.#part(hash).get(hash)
    if (first === undefined) this.#part(hash).set(hash, record)
    return first
  }
}

/** Names of records, grouped by company. Names of one company are compared with each other. */
class Names {
  readonly #names: string[] = []
  readonly #companies: number[] = []
  readonly #numbers = new Map<string, number>()

  add(record: number, { name, company = '' }: Compared): void {
    if (name === undefined) return
    const number = this.#numbers.get(company) ?? this.#numbers.size
    if (number === this.#numbers.size) this.#numbers.set(company, number)
    this.#names[record] = name
    this.#companies[record] = number
  }

  /** @param signal stops the comparison */
  async compare(hasCompany: boolean, unions: Unions, signal: AbortSignal): Promise<void> {
    const turns = createTurns(signal)
    const withoutCompany = hasCompany ? this.#numbers.get('') : undefined
    for (const [number, members] of (await this.#byCompany(signal)).entries()) {
      if (number === withoutCompany || members.length < 2) continue
      await findSimilar(this.#names, members, turns, (a, b) => unions.join(a, b))
    }
    if (withoutCompany !== undefined) await this.#joinWithoutCompany(withoutCompany, unions, signal)
  }

  async #byCompany(signal: AbortSignal): Promise<number[][]> {
    const turns = createTurns(signal)
    const members: number[][] = Array.from({ length: this.#numbers.size }, () => [])
    for (let record = 0; record < this.#names.length; record++) {
      await turns.pass()
      const company = this.#companies[record]
      if (company !== undefined) members[company]?.push(record)
    }
    return members
  }

  /** A record without a company matches records with an equal name. */
  async #joinWithoutCompany(withoutCompany: number, unions: Unions, signal: AbortSignal): Promise<void> {
    const turns = createTurns(signal)
    const firsts = new FirstByKey()
    for (const lacksCompany of [true, false])
      for (let record = 0; record < this.#names.length; record++) {
        await turns.pass()
        const name = this.#names[record]
        if (name === undefined || (this.#companies[record] === withoutCompany) !== lacksCompany) continue
        const first = lacksCompany ? firsts.take(name, record) : firsts.get(name)
        if (first !== undefined) unions.join(first, record)
      }
  }
}

interface GroupLimits {
  groups: number
  perGroup: number
}

export interface Finder {
  /** @param compared one entry per rule, in the order of the rules */
  add(id: string, compared: readonly Compared[]): void
  /**
   * The first groups of ids of possible duplicates, in the order in which they were added, and the first ids of each.
   * @throws when `signal` aborts
   */
  groups(limits: GroupLimits, signal: AbortSignal): Promise<string[][]>
}

class Ids {
  #bytes = Buffer.alloc(ID_BYTES * 1024)
  #count = 0

  add(id: string): void {
    if (this.#bytes.length < (this.#count + 1) * ID_BYTES)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
    this.#bytes.write(id.replaceAll('-', ''), this.#count * ID_BYTES, 'hex')
    this.#count++
  }

  at(place: number): string {
    const hex = this.#bytes.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES)
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}

export function createFinder(rules: readonly Rule[]): Finder {
  const [ids, unions] = [new Ids(), new Unions()]
  const firsts = rules.map(() => new FirstByKey())
  const names = rules.map(() => new Names())
  return {
    add(id, compared) {
      const record = unions.add()
      ids.add(id)
      for (const [place, one] of compared.entries()) {
        for (const key of one.keys) {
          const first = firsts[place]?.take(key, record)
          if (first !== undefined) unions.join(first, record)
        }
        names[place]?.add(record, one)
      }
    },
    async groups(limits, signal) {
      for (const [place, { company }] of rules.entries())
        await names[place]?.compare(company !== undefined, unions, signal)
      const found = await unions.groups(createTurns(signal), limits.groups)
      return found.map((group) => group.slice(0, limits.perGroup).map((record) => ids.at(record)))
    },
  }
}
