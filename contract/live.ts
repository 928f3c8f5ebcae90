// The stream of live updates (GET /events/stream of the dashboard). It names changed records, activities, runs and
// members, never their content.
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

/** Maximum ids of one message. A message about more changes names only the objects. */
export const LIVE_IDS_MAX = 100

/** Changes of one type; changes of records are grouped by object. */
export interface LiveChange {
  type: StoredEventType
  /** The object of the records; null for other changes, and if the id of the object is no longer known. */
  objectId: string | null
  /** Records, activities, workflow runs, or users and invitations; null: too many to name. */
  ids: string[] | null
}

/**
 * Messages by event name. `changes`: has the id of the last event, and the time over which clients spread their reads.
 * `inbox`: the inbox of the signed-in member may have changed. `reload`: the missed events are unknown, anything may
 * have changed. `beat`: sent at least every 15 seconds, with the time over which clients spread their reconnects.
 * `end`: the stream ends, with the reason.
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
