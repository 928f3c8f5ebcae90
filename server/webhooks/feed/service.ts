// The event feed: for a client that reads events one after the other.
import { isUuid } from '../../../contract/common.ts'
import type { EventActor, FeedQuery } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/errors.ts'
import { idTime } from '../../base/id.ts'
import { instead } from '../../base/suggestions.ts'
import type { Db } from '../../db/pool.ts'
import { BEFORE_ALL_EVENTS, type ConsumerPosition } from '../../events/clock.ts'
import { oldestDay } from '../../events/partitions.ts'
import { readTimestamp } from '../timestamps.ts'
import { behind, endText, parseEnd } from './position.ts'
import { findPosition, findStart, getBirth, selectFeedPage } from './store.ts'

const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[]
const isEventType = (name: string): name is EventType => Object.hasOwn(EVENT_TYPES, name)

const refused = (path: string, code: string, message: string) =>
  invalid('invalid_parameter', [{ path, code, message }])

/**
 * The distinct event types of a comma-separated list; all types without a list.
 * @param path the name of the parameter, for errors
 * @throws AppError invalid_parameter naming the first unknown type
 */
export function parseEventTypes(list: string | undefined, path = 'types'): EventType[] {
  if (list === undefined) return ALL_TYPES
  const names = [...new Set(list.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !isEventType(name))
  if (unknown === undefined) return names.filter(isEventType)
  const message = `"${unknown.slice(0, 100)}" is not an event type: ${instead(unknown, ALL_TYPES)}`
  throw refused(path, 'unknown_event_type', message)
}

/**
 * Rejects a time before the oldest kept event: deleted events after it would be skipped.
 * @param path the name of the parameter, for errors
 * @throws AppError invalid_parameter
 */
async function requireKept(db: Db, org: number, { path, ms }: { path: string; ms: number }): Promise<void> {
  const oldest = (await oldestDay(db))?.getTime()
  if (oldest === undefined || ms >= oldest || (await getBirth(db, org)) >= oldest) return
  const time = new Date(oldest).toISOString()
  const message = `is before ${time}, the oldest time from which events are kept: load all records again, and follow from after=latest`
  throw refused(path, 'expired_position', message)
}

/** A transaction that was open at that end may later write an event with an earlier time. */
const OPEN_FOR_MS = 3_600_000

async function positionOf(db: Db, org: number, after: string): Promise<ConsumerPosition> {
  const end = parseEnd(after)
  if (end) {
    await requireKept(db, org, { path: 'after', ms: end.atMs - OPEN_FOR_MS })
    return behind(end)
  }
  const position = isUuid(after) ? await findPosition(db, org, after) : undefined
  if (position) return position
  if (isUuid(after)) await requireKept(db, org, { path: 'after', ms: idTime(after.toLowerCase()) })
  const message =
    'must be nextAfter of the last page, the id of an event of this organization, or latest: leave it out to start with the oldest event'
  throw refused('after', 'unknown_event', message)
}

async function sincePosition(
  db: Db,
  org: number,
  { since, types }: { since: string; types: readonly EventType[] },
): Promise<ConsumerPosition> {
  const at = readTimestamp(since)
  if (!at) throw refused('since', 'invalid_date', 'must be a timestamp in the years 1 to 9999')
  await requireKept(db, org, { path: 'since', ms: at.getTime() })
  return findStart(db, org, { since: at, types })
}

const LATEST = 'latest'

/** The database has lost its last transactions, for example in a failover to a standby. */
const AHEAD = 'is ahead of all events that there are: load all records again, and follow from after=latest'

interface Start extends Record<'after' | 'since', string | undefined> {
  types: readonly EventType[]
}

function startOf(
  db: Db,
  org: number,
  { after, since, types }: Start,
): ConsumerPosition | Promise<ConsumerPosition> {
  if (after !== undefined && since !== undefined)
    throw refused(
      'since',
      'given_twice',
      'cannot be combined with after, since both say where the list starts: leave one of them out',
    )
  if (since !== undefined) return sincePosition(db, org, { since, types })
  return after === undefined || after === LATEST ? BEFORE_ALL_EVENTS : positionOf(db, org, after)
}

const actorOf = ({ keyId, userId }: Pick<Caller, 'userId' | 'keyId'>): EventActor =>
  keyId === null ? { type: 'member', id: userId } : { type: 'apiKey', id: keyId }

/**
 * The next events after `after`, or from `since` on, as the JSON text of an EventList.
 * @throws AppError invalid_parameter
 */
export async function readFeed(
  db: Db,
  caller: Pick<Caller, 'org' | 'userId' | 'keyId'>,
  { after, since, types: list, limit = 50 }: FeedQuery,
): Promise<string> {
  const { org } = caller
  const types = parseEventTypes(list)
  const position = await startOf(db, org, { after, since, types })
  const wanted = after === LATEST ? 0 : limit
  const { events, isCut, end } = await selectFeedPage(db, org, { after: position, types, limit: wanted })
  if (BigInt(position.tx) > BigInt(end.tx)) throw refused('after', 'expired_position', AHEAD)
  // After a full or cut page, the reader continues after its last event. Any other page reaches the end.
  const last = isCut || events.length === wanted ? events.at(-1) : undefined
  const rest = { nextAfter: last?.id ?? endText(end), caller: actorOf(caller) }
  return `{"events":[${events.map(({ body }) => body).join(',')}],${JSON.stringify(rest).slice(1)}`
}
