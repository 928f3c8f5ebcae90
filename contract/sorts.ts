// Sort keys of record searches.
import { type Static, Type } from 'typebox'
import { literals, StrictObject } from './common.ts'
import { SORTS_MAX } from './limits.ts'

const Sorted = StrictObject({
  field: Type.String({
    description:
      'created_at, updated_at, the slug of a sortable attribute, or a part of its values, such as name.lastName',
  }),
  order: Type.Optional(literals(['asc', 'desc'], { default: 'desc' })),
})

export const SearchSort = Type.Union([Sorted, Type.Array(Sorted, { minItems: 1, maxItems: SORTS_MAX })], {
  description: `A sort key, or up to ${SORTS_MAX} sort keys: each key orders the records that are equal by the keys before it`,
})
export type SearchSort = Static<typeof SearchSort>
