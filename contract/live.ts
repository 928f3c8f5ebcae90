// What the stream of live updates says (GET /events/stream of the dashboard): which records, activities, runs and members
// changed, never what they hold.
import { type Static, Type } from 'typebox'
import { StrictObject, Uuid } from './common.ts'
import type { StoredEventType } from './events.ts'
import type { DashboardRoutes } from './route.ts'

export const StreamQuery = StrictObject({
  after: Type.Optional(
    Type.String({
      ...Uuid,
      description: 'Id of the last message received; the header Last-Event-ID takes precedence',
    }),
  ),
})
export type StreamQuery = Static<typeof StreamQuery>

/** Ids of one message at most: for more changes it names only the object. */
export const LIVE_IDS_MAX = 100

/** Changes of one type: those of records by their object. */
export interface LiveChange {
  type: StoredEventType
  /** Of records; null for others, and of an object whose id is not known any more. */
  objectId: string | null
  /** Records, activities, workflow runs, or users and invitations; null: too many to name. */
  ids: string[] | null
}

/**
 * Messages by the name of their event. `changes` has the id of its last event, and the time over which its readers
 * spread what they read for it. `inbox`: that of the signed-in member may have changed. `reload`: what was missed cannot be said, anything may have changed. `beat`: sent at
 * least every 15 seconds, with the time over which clients spread their next connection. `end`: the stream ends, and why.
 */
export interface LiveMessages {
  changes: { changes: LiveChange[]; spreadMs: number }
  inbox: Record<string, never>
  reload: Record<string, never>
  beat: { spreadMs: number }
  end: { reason: 'session' | 'closing' }
}

export const liveRoutes = {
  openStream: { at: 'GET /events/stream', scope: 'records:read', query: StreamQuery },
} satisfies DashboardRoutes
