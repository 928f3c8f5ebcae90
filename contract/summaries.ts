// Summaries of the values of a set of records, for the footer of a table.
import { type Static, Type } from 'typebox'
import { literals, Nullable, StrictObject } from './common.ts'
import { SearchBody } from './records.ts'
import { SUMMARIES } from './summary-kinds.ts'

const SummaryOf = StrictObject({
  attributeSlug: Type.String(),
  summary: literals(SUMMARIES, {
    description:
      'filled, empty: number of records with and without a value. checked: number of records with a checked box. sum, average: for numbers and amounts. min, max: for numbers, amounts and dates',
  }),
})

/** More summaries than one table shows. */
const SUMMARIES_MAX = 50

export const SummaryQuery = StrictObject({
  summaries: Type.Array(SummaryOf, { minItems: 1, maxItems: SUMMARIES_MAX }),
  filter: SearchBody.properties.filter,
  filters: SearchBody.properties.filters,
})
export type SummaryQuery = Static<typeof SummaryQuery>

const SummaryValue = StrictObject({
  currency: Nullable(Type.String(), { description: 'ISO 4217 code of an amount; otherwise null' }),
  value: Type.String({
    description: 'A count, an exact decimal or a day. Averages are rounded to 10 decimals',
  }),
})

export const Summary = StrictObject({
  ...SummaryOf.properties,
  values: Type.Array(SummaryValue, {
    description: 'One value; for amounts one value per currency; empty if no record has a value to summarize',
  }),
})
export type Summary = Static<typeof Summary>

export const SummaryList = StrictObject({
  count: Type.Integer({ minimum: 0, description: 'Number of matching records' }),
  summaries: Type.Array(Summary, { description: 'Summaries in the order of the request' }),
})
export type SummaryList = Static<typeof SummaryList>
