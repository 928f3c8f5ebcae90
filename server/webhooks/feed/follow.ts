// Events as they happen, until the signal ends them.
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import type { Position } from '../../events/clock.ts'
import { type FeedEvent, selectFeed } from './store.ts'

const POLL_MS = 250
const BATCH = 100

interface Following {
  after: Position
  types: readonly EventType[]
  /** Ends it, quietly. */
  signal: AbortSignal
}

/** The events behind a position, in order, and those to come. */
export async function* followFeed(
  db: Db,
  org: number,
  { after, types, signal }: Following,
): AsyncGenerator<FeedEvent, void, undefined> {
  let position = after
  while (!signal.aborted) {
    const events = await selectFeed(db, org, { after: position, types, limit: BATCH })
    yield* events
    position = events.at(-1) ?? position
    if (events.length === 0) await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
