// The event feed: for a client that reads events one after the other.
import type { FeedQuery } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { invalid } from '../../errors.ts'
import { BEFORE_ALL_EVENTS, type Position } from '../../events/clock.ts'
import { findPosition, selectFeed } from './store.ts'

const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[]
const isEventType = (name: string): name is EventType => Object.hasOwn(EVENT_TYPES, name)

const refused = (path: string, code: string, message: string) =>
  invalid('invalid_parameter', [{ path, code, message }])

/**
 * Event types of a list separated by commas, each once; without one all.
 * @param path what the list is called where it was given
 * @throws AppError invalid_parameter naming the first that is none
 */
export function parseEventTypes(list: string | undefined, path = 'types'): EventType[] {
  if (list === undefined) return ALL_TYPES
  const names = [...new Set(list.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !isEventType(name))
  if (unknown === undefined) return names.filter(isEventType)
  const message = `"${unknown.slice(0, 100)}" is not an event type: use ${ALL_TYPES.join(', ')}`
  throw refused(path, 'unknown_event_type', message)
}

/** @throws AppError invalid_parameter when the event is not kept, or another organization's */
async function positionOf(db: Db, org: number, id: string): Promise<Position> {
  const position = await findPosition(db, org, id)
  if (position) return position
  const message =
    'is not an event of this organization, or was deleted: omit it to start with the oldest event'
  throw refused('after', 'unknown_event', message)
}

/**
 * The next events behind `after`, as the JSON text of an EventList.
 * @throws AppError invalid_parameter
 */
export async function readFeed(
  db: Db,
  org: number,
  { after, types, limit = 50 }: FeedQuery,
): Promise<string> {
  const wanted = parseEventTypes(types)
  const position = after === undefined ? BEFORE_ALL_EVENTS : await positionOf(db, org, after)
  const events = await selectFeed(db, org, { after: position, types: wanted, limit })
  return `{"events":[${events.map(({ body }) => body).join(',')}]}`
}
