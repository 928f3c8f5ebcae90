// What the dashboard alone asks about a search: which way its page and its total are found, and what that takes.
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const
const Null = Type.Null()

export const ExplainedFilter = Type.Object(
  {
    attributeSlug: Type.Union([Type.String(), Null], { description: 'null: alternatives in a tree' }),
    operator: Type.Union([Type.String(), Null]),
    found: Type.Union([Type.Integer(), Null], { description: 'Records that meet it, as far as is known' }),
    isExact: Type.Boolean({ description: 'Whether `found` is exact' }),
    countedBy: Type.Unsafe<'counters' | 'index' | 'nothing'>(
      Type.String({ enum: ['counters', 'index', 'nothing'] }),
    ),
    hasIndex: Type.Boolean({ description: 'Whether index rows give its records' }),
  },
  closed,
)
export type ExplainedFilter = Static<typeof ExplainedFilter>

export const ExplainedWay = Type.Object(
  {
    way: Type.Unsafe<'nothing' | 'head' | 'walk' | 'along' | 'gather' | 'once' | 'set' | 'ladder' | 'scan'>(
      Type.String({
        enum: ['nothing', 'head', 'walk', 'along', 'gather', 'once', 'set', 'ladder', 'scan'],
        description:
          'nothing: none can match, or the offset is beyond all. head: a look at the first records in order. walk: in the order of the sort, past what does not match. along: in the order of ids, by the index of one filter. gather: all of one filter, or those of them among the first records, then sorted. once: all of one filter, for the page and the total at once. set: who meets the filter, in order, out of indexes alone. ladder: all records, from the counter in which the offset ends. scan: all records, for want of an index',
      }),
    ),
    filter: Type.Union([Type.Integer(), Null], { description: 'Whose index rows: place in `filters`' }),
    bound: Type.Union([Type.Integer(), Null], { description: 'After so many the next way is taken' }),
    cost: Type.Integer({ description: 'About so many microseconds, as the planner guesses' }),
    isTaken: Type.Boolean({ description: 'Whether it was gone just now; the others would have followed' }),
  },
  closed,
)
export type ExplainedWay = Static<typeof ExplainedWay>

export const SearchExplanation = Type.Object(
  {
    index: Type.Unsafe<'none' | 'building' | 'ready'>(
      Type.String({ enum: ['none', 'building', 'ready'], description: 'Of the object' }),
    ),
    records: Type.Union([Type.Integer(), Null], {
      description: 'Of the object; null where they are not counted',
    }),
    filters: Type.Array(ExplainedFilter),
    ways: Type.Array(ExplainedWay, {
      description:
        'Those that were gone, one after the other until the page was found, then those that were not needed',
    }),
    milliseconds: Type.Number({ description: 'What page and total took just now' }),
    total: Type.Union([Type.Integer(), Null]),
  },
  closed,
)
export type SearchExplanation = Static<typeof SearchExplanation>
