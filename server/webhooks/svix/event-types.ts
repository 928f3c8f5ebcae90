// Registers the event types at Svix, so that its portal can offer them.
import { EVENT_BODIES } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import type { Svix, SvixAnswer, SvixEventType } from './client.ts'

const NOT_FOUND = 404
const CONFLICT = 409

const TYPES: readonly SvixEventType[] = (Object.keys(EVENT_TYPES) as EventType[]).map((name) => ({
  name,
  description: EVENT_TYPES[name],
  schema: EVENT_BODIES[name],
}))

/** Changed before it is made: creating it first would bring back a type that the operator archived at Svix. */
async function register(svix: Svix, type: SvixEventType, signal: AbortSignal): Promise<SvixAnswer> {
  const updated = await svix.updateEventType(type, signal)
  return updated.status === NOT_FOUND ? svix.createEventType(type, signal) : updated
}

/** May be done again at any time, by several processes at once. @returns the first problem; null: all are there */
export async function registerEventTypes(svix: Svix, signal: AbortSignal): Promise<string | null> {
  for (const type of TYPES) {
    const { status, problem } = await register(svix, type, signal)
    // Another process made it just now.
    if (problem !== null && status !== CONFLICT) return problem
  }
  return null
}
