// Values of all records of a set, summarized: the foot of a table.
import { type Static, Type } from 'typebox'
import { literals, Nullable, StrictObject } from './common.ts'
import { SearchBody } from './records.ts'
import { SUMMARIES } from './summary-kinds.ts'

const SummaryOf = StrictObject({
  attributeSlug: Type.String(),
  summary: literals(SUMMARIES, {
    description:
      'filled, empty: records with and without a value. checked: records with a checked box. sum, average: of numbers and amounts. min, max: of numbers, amounts and dates',
  }),
})

/** More than one table shows. */
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
    description: 'One; of amounts one for each currency; none where no record has a value to summarize',
  }),
})
export type Summary = Static<typeof Summary>

export const SummaryList = StrictObject({
  count: Type.Integer({ minimum: 0, description: 'Records that match' }),
  summaries: Type.Array(Summary, { description: 'In the order of the request' }),
})
export type SummaryList = Static<typeof SummaryList>
