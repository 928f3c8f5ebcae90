// What only the dashboard asks about a search: how its page and its total are found, and what that takes.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject } from './common.ts'

export const ExplainedFilter = StrictObject({
  attributeSlug: Nullable(Type.String(), { description: 'null: alternatives in a tree' }),
  operator: Nullable(Type.String()),
  found: Nullable(Type.Integer(), { description: 'Records that meet it, as far as is known' }),
  isExact: Type.Boolean({ description: 'Whether `found` is exact' }),
  countedBy: Type.Unsafe<'counters' | 'index' | 'nothing'>(
    Type.String({ enum: ['counters', 'index', 'nothing'] }),
  ),
  hasIndex: Type.Boolean({ description: 'Whether index rows give its records' }),
})
export type ExplainedFilter = Static<typeof ExplainedFilter>

const PATHS = [
  'empty',
  'head_scan',
  'ordered_scan',
  'index_scan',
  'fetch_and_sort',
  'single_pass',
  'index_only_scan',
  'offset_seek',
  'full_scan',
] as const

export const ExplainedPath = StrictObject({
  path: Type.Unsafe<(typeof PATHS)[number]>(
    Type.String({
      enum: [...PATHS],
      description:
        'empty: no record can match, or the offset is beyond all. head_scan: the first records in the order of the sort, without knowing how many match. ordered_scan: records in the order of the sort. index_scan: records in the order of ids, by the index rows of one filter. fetch_and_sort: all records of the index rows of one filter, or those among the first records, then sorted. single_pass: all index rows of one filter, for the page and the total. index_only_scan: filter and order from index rows only. offset_seek: all records, from the histogram bucket in which the offset ends. full_scan: all records, as no index gives the order',
    }),
  ),
  filter: Nullable(Type.Integer(), { description: 'Whose index rows: index in `filters`' }),
  bound: Nullable(Type.Integer(), {
    description: 'Rows that are read at most before the next path is tried',
  }),
  cost: Type.Integer({ description: 'Estimated microseconds, by which the paths were ordered' }),
  isTaken: Type.Boolean({ description: 'Whether it was tried; the others would have followed' }),
})
export type ExplainedPath = Static<typeof ExplainedPath>

export const SearchExplanation = StrictObject({
  index: Type.Unsafe<'none' | 'building' | 'ready'>(
    Type.String({ enum: ['none', 'building', 'ready'], description: 'Of the object' }),
  ),
  records: Nullable(Type.Integer(), {
    description: 'Of the object; null where they are not counted',
  }),
  filters: Type.Array(ExplainedFilter),
  paths: Type.Array(ExplainedPath, {
    description: 'In the order in which they are tried until the page is found',
  }),
  milliseconds: Type.Number({ description: 'What page and total took just now' }),
  total: Nullable(Type.Integer()),
})
export type SearchExplanation = Static<typeof SearchExplanation>
