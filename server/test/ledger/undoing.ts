// Merges of records, and the undoing of merges and other changes.
import type { Change } from './accounts.ts'
import { create } from './creating.ts'
import {
  deletion,
  domainOf,
  type Hand,
  nameOf,
  nothing,
  type OwnRecord,
  type Plan,
  RECORDS,
  requireEqual,
  restoration,
  take,
  takeSome,
} from './hand.ts'

const MOST = 4

/** Merges records. Without an answer the writer no longer uses them. */
export function merge(hand: Hand): Plan {
  const { records, random, merges } = hand
  const [winner, ...losers] = takeSome(records, random, MOST).filter(({ domain }) => domain !== undefined)
  if (!winner || losers.length === 0) return create(hand)
  const marker = hand.mark()
  const domain = domainOf(marker)
  const loserIds = losers.map(({ id }) => id)
  const body = { winnerId: winner.id, loserIds, data: { name: marker, domain } }
  return {
    request: { method: 'POST', path: `${RECORDS}/merge`, body },
    status: 200,
    changes: [
      ...losers.map(deletion),
      { type: 'record.updated', record: winner.id, marker },
      { type: 'merge', record: winner.id, marker, nth: winner.merged + 1 },
    ],
    carriedOut({ mergeId }) {
      merges.push({ id: String(mergeId), winner, losers, domain, domainBefore: winner.domain ?? '' })
      Object.assign(winner, { domain, merged: winner.merged + 1, last: undefined })
      records.push(winner)
    },
    doubted: nothing,
  }
}

/** A change that returns to the record its earlier name, which belongs to `domain`. */
const nameReturns = ({ id, returned }: OwnRecord, domain: string): Change => ({
  ...{ type: 'return', record: id, nth: returned + 1, marker: nameOf(domain) },
})

const giveBack = (record: OwnRecord, domain: string) =>
  Object.assign(record, { domain, returned: record.returned + 1, last: undefined })

/** Undoes a merge whose winner has not changed since. */
export function unmerge(hand: Hand): Plan {
  const { records, merges, random } = hand
  const undoable = merges.filter(({ winner, domain }) => records.includes(winner) && winner.domain === domain)
  const merged = take(undoable, random)
  if (!merged) return merge(hand)
  const { id, winner, losers, domainBefore } = merged
  merges.splice(merges.indexOf(merged), 1)
  records.splice(records.indexOf(winner), 1)
  return {
    request: { method: 'POST', path: `/objects/companies/merges/${id}/undo` },
    status: 200,
    changes: [nameReturns(winner, domainBefore), ...losers.map(restoration)],
    carriedOut({ lossCount }) {
      requireEqual(lossCount, 0, 'values lost by undoing a merge')
      giveBack(winner, domainBefore)
      for (const loser of losers) loser.restored++
      records.push(winner, ...losers)
    },
    doubted: nothing,
  }
}

/** Undoes the last change of a record. */
export function undo(hand: Hand): Plan {
  const { records, random } = hand
  const record = take(
    records.filter(({ domain, last }) => domain !== undefined && last),
    random,
  )
  if (!record?.last) return create(hand)
  const { version, domainBefore } = record.last
  records.splice(records.indexOf(record), 1)
  return {
    request: { method: 'POST', path: `${RECORDS}/${record.id}/undo`, body: { version } },
    status: 200,
    changes: [nameReturns(record, domainBefore)],
    carriedOut({ conflicts }) {
      requireEqual((conflicts as unknown[]).length, 0, 'values that undoing left as they were')
      giveBack(record, domainBefore)
      records.push(record)
    },
    doubted: nothing,
  }
}
