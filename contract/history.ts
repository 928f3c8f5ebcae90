// The history of a record: who changed what, when.
import { type Static, Type } from 'typebox'
import { EventVersion, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { cursorParam, limitParam } from './paging.ts'

export const Actor = Type.Union([UserRef, Type.Null()], {
  description: 'null: the service itself, or a deleted user',
})

const Change = Type.Object({ from: Type.Unknown(), to: Type.Unknown() }, { additionalProperties: false })

export const HistoryEntry = Type.Object(
  {
    id: Uuid,
    type: Type.Union([Type.Literal('record.created'), Type.Literal('record.updated')]),
    version: EventVersion,
    at: Timestamp,
    actor: Actor,
    apiKey: Type.Union(
      [
        Type.Object(
          {
            id: Uuid,
            name: Type.Union([Type.String(), Type.Null()], { description: 'null: deleted since' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null: changed in the dashboard' },
    ),
    changes: Type.Union([Type.Record(Type.String(), Change), Type.Null()], {
      description: 'By slug, active attributes only; null for a creation',
    }),
  },
  { additionalProperties: false },
)

/** Newest first. */
export const History = Type.Object(
  { entries: Type.Array(HistoryEntry), nextCursor: Type.Optional(Type.String()) },
  { additionalProperties: false },
)
export type History = Static<typeof History>

export const HistoryPage = Type.Object(
  { limit: limitParam(), cursor: cursorParam },
  { additionalProperties: false },
)
