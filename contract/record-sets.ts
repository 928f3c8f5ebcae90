// Many records at once, named by their ids or by a filter: what is selected in a table.
import { type Static, Type } from 'typebox'
import { RECORD_SET_MAX } from './limits.ts'
import { SearchBody } from './records.ts'

/** The ids of what a filter finds, for "select all". */
export const RecordIdQuery = Type.Object(
  {
    filter: SearchBody.properties.filter,
    filters: SearchBody.properties.filters,
    sort: SearchBody.properties.sort,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECORD_SET_MAX, default: RECORD_SET_MAX })),
  },
  { additionalProperties: false },
)
export type RecordIdQuery = Static<typeof RecordIdQuery>

export const RecordIdList = Type.Object(
  {
    ids: Type.Array(Type.String()),
    isComplete: Type.Boolean({ description: 'false: more records match than the limit' }),
  },
  { additionalProperties: false },
)
export type RecordIdList = Static<typeof RecordIdList>
