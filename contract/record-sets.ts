// Sets of records, given by ids or by a filter, such as the selection in a table.
import { type Static, Type } from 'typebox'
import { StrictObject } from './common.ts'
import { RECORD_SET_MAX } from './limits.ts'
import { SearchBody } from './records.ts'

/** Reads the ids of all records that a filter finds, for "select all". */
export const RecordIdQuery = StrictObject({
  filter: SearchBody.properties.filter,
  filters: SearchBody.properties.filters,
  sort: SearchBody.properties.sort,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECORD_SET_MAX, default: RECORD_SET_MAX })),
})
export type RecordIdQuery = Static<typeof RecordIdQuery>

export const RecordIdList = StrictObject({
  ids: Type.Array(Type.String()),
  isComplete: Type.Boolean({ description: 'false: more records match than the limit' }),
})
export type RecordIdList = Static<typeof RecordIdList>
