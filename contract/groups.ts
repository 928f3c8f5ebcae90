// Records counted and summed by the value of an attribute: columns of a board, bars of a chart.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { GROUPS_MAX } from './limits.ts'
import { SearchBody } from './records.ts'

export const GroupQuery = Type.Object(
  {
    by: Type.String({
      description: 'Slug of a select, checkbox, reference or date attribute; dates are grouped by month',
    }),
    sumOf: Type.Optional(Type.String({ description: 'Slug of a currency or number attribute' })),
    filter: SearchBody.properties.filter,
    filters: SearchBody.properties.filters,
  },
  { additionalProperties: false },
)
export type GroupQuery = Static<typeof GroupQuery>

const Sum = Type.Object(
  {
    currency: Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 4217 code; null for the sum of a number attribute',
    }),
    sum: Type.String({ description: 'Exact decimal' }),
  },
  { additionalProperties: false },
)

export const Group = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'An option, true or false, a record’s id, or a month (2026-11); null: no value',
    }),
    count: Type.Integer({ minimum: 0 }),
    sums: Type.Array(Sum, {
      description: 'One per currency: amounts of different currencies are never added up',
    }),
  },
  { additionalProperties: false },
)
export type Group = Static<typeof Group>

/**
 * select and checkbox: every option in its order, then null, empty groups too. date: months in order, then null.
 * reference: the largest group first, null last.
 */
export const GroupList = Type.Object(
  {
    groups: Type.Array(Group),
    isComplete: Type.Boolean({
      description: `false: there are more than ${GROUPS_MAX} groups, and the largest are listed`,
    }),
  },
  { additionalProperties: false },
)
export type GroupList = Static<typeof GroupList>

/** What a board is: the columns, and what their heads add up. */
export const BoardState = Type.Object(
  { groupBy: Slug, sumOf: Type.Optional(Slug) },
  { additionalProperties: false },
)
