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
  recordId: Type.String({
    ...Uuid,
    description: 'The changed record: this record, or a record that was merged into this record',
  }),
  type: literals(['record.created', 'record.updated'], {
    description: 'record.created with a version above 1: the record was restored from the trash',
  }),
  version: EventVersion,
  at: Timestamp,
  actor: Actor,
  apiKey: Nullable(
    StrictObject({
      id: Uuid,
      name: Nullable(Type.String(), { description: 'null: deleted' }),
    }),
    { description: 'null: not changed by an API key' },
  ),
  workflow: Nullable(
    StrictObject({
      id: Uuid,
      name: Nullable(Type.String(), { description: 'null: deleted' }),
    }),
    { description: 'The workflow whose step made the change on behalf of `actor`' },
  ),
  changes: Nullable(Type.Record(Type.String(), Change), {
    description: 'Changes by attribute slug, of active attributes only; null for a creation and a merge',
  }),
  restores: Nullable(StrictObject({ entryId: Uuid, at: Timestamp }), {
    description: 'Only for a change that undid another change: the entry whose earlier values were restored',
  }),
  mergedIds: Nullable(Type.Array(Uuid), {
    description: 'Only for a merge: ids of the records that were merged into this record',
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
