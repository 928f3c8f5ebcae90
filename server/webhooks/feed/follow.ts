// Returns new events as they happen, until a signal is aborted.
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { type FeedEvent, type FeedNow, selectFeed } from './store.ts'

const POLL_MS = 250
const BATCH = 100

interface Following {
  now: FeedNow
  types: readonly EventType[]
  /** Ends the iteration without an error. */
  signal: AbortSignal
}

/** The events after the events in `now`, in order. */
export async function* followFeed(
  db: Db,
  org: number,
  { now: { end, waiting }, types, signal }: Following,
): AsyncGenerator<FeedEvent, void, undefined> {
  const known = new Set(waiting)
  let position = end
  while (!signal.aborted) {
    const events = await selectFeed(db, org, { after: position, types, limit: BATCH })
    yield* events.filter(({ id }) => !known.has(id))
    position = events.at(-1) ?? position
    if (events.length === 0) await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
