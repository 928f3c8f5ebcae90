// Reads the events that a new stream has missed since its last message, or since its page was loaded.
import type { Db } from '../db/pool.ts'
import type { ConsumerPosition } from '../events/clock.ts'
import { findPosition } from '../webhooks/feed/store.ts'
import type { Channel } from './channel.ts'
import { changesText, RELOAD_TEXT } from './message.ts'
import { type PositionedEvent, selectNews, selectRecent } from './store.ts'

/** With more events, the page reloads everything instead. */
const MISSED_MAX = 1000
/** A page is loaded shortly before its stream opens. */
const OPENING_MS = 10_000
const ROUNDS_MAX = 5

interface Missed {
  channel: Channel
  /** Id of the event after which the stream continues. */
  after: string | undefined
  now: Date
}

/** The events after a position; without one, those of the last seconds. */
const readOn = (db: Db, { channel: { org }, now }: Missed, position: ConsumerPosition | undefined) =>
  position
    ? selectNews(db, [{ org, position }], { now, limit: MISSED_MAX })
    : selectRecent(db, org, { now, withinMs: OPENING_MS, limit: MISSED_MAX })

/**
 * Reads until no further event was announced, then calls `start` in the same turn of the event loop: the stream gets
 * later events from its channel.
 */
export async function catchUp(db: Db, missed: Missed, start: (text: string) => void): Promise<void> {
  const { channel, after } = missed
  await channel.started
  let position = after === undefined ? undefined : await findPosition(db, channel.org, after)
  if (after !== undefined && !position) return start(RELOAD_TEXT)
  const events: PositionedEvent[] = []
  for (let round = 0; round < ROUNDS_MAX && events.length < MISSED_MAX; round++) {
    const before = channel.position
    events.push(...(await readOn(db, missed, position)))
    position = events.at(-1) ?? position
    if (channel.position === before && events.length < MISSED_MAX) return start(changesText(events))
  }
  start(RELOAD_TEXT)
}
