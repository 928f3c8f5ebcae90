// What a writer knows of its records, and what a request comes to when it is carried out.
import type { Random } from '../../demo/random.ts'
import type { Change } from './accounts.ts'
import type { Request } from './ask.ts'

export interface OwnRecord {
  id: string
  /** undefined: its last change got no answer. */
  domain: string | undefined
  /** How often it was restored from the trash. */
  restored: number
  /** How often it got an earlier name back. */
  returned: number
  /** How often others were merged into it. */
  merged: number
  /** Its last change, when that can be undone. */
  last?: { version: number; domainBefore: string } | undefined
}

/** One that can be undone while its winner has the domain that it gave. */
export interface OwnMerge {
  id: string
  winner: OwnRecord
  losers: OwnRecord[]
  domain: string
  domainBefore: string
}

/** What one writer knows. Other writers change only the records in `shared`. */
export interface Hand {
  random: Random
  /** A text never used before. */
  mark(): string
  records: OwnRecord[]
  /** Ids of records that are certainly deleted. */
  deletedIds: string[]
  /** Those of them that are in the trash. */
  trash: OwnRecord[]
  /** Those of them that are in the trash no longer. */
  purged: OwnRecord[]
  merges: OwnMerge[]
  /** Ids of records that every writer of the organization changes and deletes. */
  shared: string[]
}

export interface Plan {
  request: Request
  status: number
  changes: Change[]
  /** Answers that say that nothing was done: another writer was first. */
  mayFailWith?: readonly number[]
  /** What the request asks for and must not get. */
  refused?: Change[]
  /** Records that the request deletes for good. */
  purged?: string[]
  /** It was carried out, says this answer. @throws when the answer is not as it should be */
  carriedOut(body: Record<string, unknown>): void
  /** The outcome is unknown. */
  doubted(): void
}

export const RECORDS = '/objects/companies/records'
export const nothing = () => undefined
export const domainOf = (marker: string) => `${marker}.example`
/** The name of the record whose domain it is: one is made from the other. */
export const nameOf = (domain: string) => domain.slice(0, -domainOf('').length)

export const ownRecord = (id: string, marker: string): OwnRecord => ({
  ...{ id, domain: domainOf(marker), restored: 0, returned: 0, merged: 0 },
})

export const deletion = ({ id, restored }: OwnRecord): Change => ({
  ...{ type: 'record.deleted', record: id, nth: restored + 1 },
})

/** Of a record whose last name is known. */
export const restoration = ({ id, domain = '', restored }: OwnRecord): Change => ({
  ...{ type: 'restoration', record: id, nth: restored + 1, marker: nameOf(domain) },
})

export function requireEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual}, not ${expected}`)
}

export function take<Item>(items: Item[], random: Random): Item | undefined {
  return items.splice(random.integer(0, items.length - 1), 1)[0]
}

export const takeSome = <Item>(items: Item[], random: Random, most: number): Item[] =>
  Array.from({ length: Math.min(items.length, random.integer(2, most)) }, () => take(items, random)).filter(
    (item) => item !== undefined,
  )
