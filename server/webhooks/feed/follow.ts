// Events as they happen, from now on, until the signal ends them.
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { type FeedEvent, type FeedNow, selectFeed } from './store.ts'

const POLL_MS = 250
const BATCH = 100

interface Following {
  now: FeedNow
  types: readonly EventType[]
  /** Ends it, quietly. */
  signal: AbortSignal
}

/** The events that come after those that there were, in order. */
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
