// Compares the acknowledged writes with the events and records that the service returns at the end.
import { audit, type WrittenEvent } from '../../server/test/ledger/accounts.ts'
import { type Book, type FeedEvent, readFeed, readRecords, type Target } from './load.ts'

export interface Verdict {
  faults: string[]
  acknowledged: number
  events: number
}

const writtenOf = ({ id, type, recordId, version, data, changes }: FeedEvent): WrittenEvent => ({
  ...{ id, type, subject: recordId, name: data.name, nameBefore: changes?.name?.from ?? null, version },
})

/** @returns the first difference between the events that a client read during the failovers and the whole feed */
function cursorFaults(followed: readonly FeedEvent[], whole: readonly FeedEvent[]): string[] {
  const place = whole.findIndex(({ id }, n) => id !== followed[n]?.id)
  if (place < 0 && followed.length === whole.length) return []
  return [`the cursor read ${followed.length} events, the feed has ${whole.length}; they differ at ${place}`]
}

/** Requires that the writers have ended. */
export async function judge(book: Book, target: Target): Promise<Verdict> {
  const whole = await readFeed(book, target)
  const events = whole.map(writtenOf)
  const records = await readRecords(book, target)
  const faults = [
    ...book.faults,
    ...cursorFaults(book.events, whole),
    ...audit({ log: book.entries, events, records }),
  ]
  return { faults, acknowledged: book.entries.length, events: events.length }
}
