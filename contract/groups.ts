// Records counted and summed by the value of an attribute: columns of a board, bars of a chart.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Nullable, StrictObject } from './common.ts'
import { GROUPS_MAX } from './limits.ts'
import { SearchBody } from './records.ts'

export const GroupQuery = StrictObject({
  by: Type.String({
    description: 'Slug of a select, checkbox, reference or date attribute; dates are grouped by month',
  }),
  sumOf: Type.Optional(Type.String({ description: 'Slug of a currency or number attribute' })),
  filter: SearchBody.properties.filter,
  filters: SearchBody.properties.filters,
})
export type GroupQuery = Static<typeof GroupQuery>

const Sum = StrictObject({
  currency: Nullable(Type.String(), {
    description: 'ISO 4217 code; null for the sum of a number attribute',
  }),
  sum: Type.String({ description: 'Exact decimal' }),
})

export const Group = StrictObject({
  value: Nullable(Type.String(), {
    description: 'An option, true or false, a record’s id, or a month (2026-11); null: no value',
  }),
  count: Type.Integer({ minimum: 0 }),
  sums: Type.Array(Sum, {
    description: 'One per currency: amounts of different currencies are never added up',
  }),
})
export type Group = Static<typeof Group>

/**
 * select and checkbox: every option in its order, then null, empty groups too. date: months in order, then null.
 * reference: the largest group first, null last.
 */
export const GroupList = StrictObject({
  groups: Type.Array(Group),
  isComplete: Type.Boolean({
    description: `false: there are more than ${GROUPS_MAX} groups, and the largest are listed`,
  }),
})
export type GroupList = Static<typeof GroupList>

/** What a board is: the columns, and what their heads add up. */
export const BoardState = StrictObject({ groupBy: Slug, sumOf: Type.Optional(Slug) })
