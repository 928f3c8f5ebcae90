// The records that a writer knows, and the expected effects of a request.
import type { Random } from '../../demo/random.ts'
import type { Change } from './accounts.ts'
import type { Request } from './ask.ts'

export interface OwnRecord {
  id: string
  /** undefined: the last change got no answer. */
  domain: string | undefined
  restored: number
  /** How often it got an earlier name back. */
  returned: number
  /** How often other records were merged into it. */
  merged: number
  /** Its last change, if it can be undone. */
  last?: { version: number; domainBefore: string } | undefined
}

/** A merge that can be undone while its winner still has the domain from the merge. */
export interface OwnMerge {
  id: string
  winner: OwnRecord
  losers: OwnRecord[]
  domain: string
  domainBefore: string
}

/** The records that one writer knows. Other writers change only the records in `shared`. */
export interface Hand {
  random: Random
  /** A text never used before. */
  mark(): string
  records: OwnRecord[]
  /** Ids of records that are certainly deleted. */
  deletedIds: string[]
  /** The deleted records that are in the trash. */
  trash: OwnRecord[]
  /** The records that were removed from the trash permanently. */
  purged: OwnRecord[]
  merges: OwnMerge[]
  /** Ids of records that every writer of the organization changes and deletes. */
  shared: string[]
}

export interface Plan {
  request: Request
  status: number
  changes: Change[]
  /** Statuses of answers that report no effect because another writer was first. */
  mayFailWith?: readonly number[]
  /** Requested changes that the service must refuse. */
  refused?: Change[]
  /** Ids of records that the request deletes permanently. */
  purged?: string[]
  /** Called with the answer that confirms the request. @throws if the answer is not as expected */
  carriedOut(body: Record<string, unknown>): void
  /** Called if the outcome is unknown. */
  doubted(): void
}

export const RECORDS = '/objects/companies/records'
export const nothing = () => undefined
export const domainOf = (marker: string) => `${marker}.example`
/** The name of the record with this domain: the domain is made from the name. */
export const nameOf = (domain: string) => domain.slice(0, -domainOf('').length)

export const ownRecord = (id: string, marker: string): OwnRecord => ({
  ...{ id, domain: domainOf(marker), restored: 0, returned: 0, merged: 0 },
})

export const deletion = ({ id, restored }: OwnRecord): Change => ({
  ...{ type: 'record.deleted', record: id, nth: restored + 1 },
})

/** The restoration of a record whose last name is known. */
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
