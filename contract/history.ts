// The history of a record: who changed what, when.
import { type Static, Type } from 'typebox'
import { EventVersion, literals, Nullable, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { ActingUser } from './members.ts'
import { consistencyParam, formerNextCursor, pageParams } from './paging.ts'

export const Actor = Nullable(ActingUser, {
  description: 'null: the service itself, or a deleted user',
})

const Change = StrictObject({ from: Type.Unknown(), to: Type.Unknown() })

export const HistoryEntry = StrictObject({
  id: Uuid,
  recordId: Type.String({ ...Uuid, description: 'Of a record that was merged into this one, its own' }),
  type: literals(['record.created', 'record.updated'], {
    description: 'record.created with a version above 1: it was restored from the trash',
  }),
  version: EventVersion,
  at: Timestamp,
  actor: Actor,
  apiKey: Nullable(
    StrictObject({
      id: Uuid,
      name: Nullable(Type.String(), { description: 'null: deleted since' }),
    }),
    { description: 'null: not changed by a key' },
  ),
  workflow: Nullable(
    StrictObject({
      id: Uuid,
      name: Nullable(Type.String(), { description: 'null: deleted since' }),
    }),
    { description: 'The workflow whose step it was, in the name of `actor`' },
  ),
  changes: Nullable(Type.Record(Type.String(), Change), {
    description: 'By slug, active attributes only; null for a creation and a merge',
  }),
  restores: Nullable(StrictObject({ entryId: Uuid, at: Timestamp }), {
    description: 'Of a change that undid another one: the entry whose earlier values it restored',
  }),
  mergedIds: Nullable(Type.Array(Uuid), {
    description: 'Of a merge: the records that were merged into this one',
  }),
})

/** Newest first. */
export const History = StrictObject({
  entries: Type.Array(HistoryEntry),
  pagination: Pagination,
  nextCursor: formerNextCursor,
})
export type History = Static<typeof History>

export const HistoryQuery = StrictObject({ ...pageParams(), consistency: consistencyParam })
