// Counts and sums records by the value of an attribute, for columns of a board and bars of a chart.
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
    description: 'One sum per currency: amounts in different currencies are never added',
  }),
})
export type Group = Static<typeof Group>

/**
 * select and checkbox: all options in their order, then null, also empty groups. date: months in order, then null.
 * reference: the largest group first, null last.
 */
export const GroupList = StrictObject({
  groups: Type.Array(Group),
  isComplete: Type.Boolean({
    description: `false: there are more than ${GROUPS_MAX} groups, and only the largest are listed`,
  }),
})
export type GroupList = Static<typeof GroupList>

/** A board: the attribute of its columns, and the attribute that the column heads sum. */
export const BoardState = StrictObject({ groupBy: Slug, sumOf: Type.Optional(Slug) })
