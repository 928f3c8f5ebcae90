// Explains a search: how its page and total are found, and at which cost.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject } from './common.ts'

export const ExplainedFilter = StrictObject({
  attributeSlug: Nullable(Type.String(), { description: 'null for alternatives in a tree' }),
  operator: Nullable(Type.String()),
  found: Nullable(Type.Integer(), { description: 'Number of records that match the filter, if known' }),
  isExact: Type.Boolean({ description: 'Whether `found` is exact' }),
  countedBy: Type.Unsafe<'counters' | 'index' | 'nothing'>(
    Type.String({ enum: ['counters', 'index', 'nothing'] }),
  ),
  hasIndex: Type.Boolean({ description: 'Whether the index can find its records' }),
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
        'empty: no record can match, or the offset is beyond the last record. head_scan: the first records in the order of the sort, without knowing how many match. ordered_scan: records in the order of the sort. index_scan: records in the order of ids, by the index rows of one filter. fetch_and_sort: all records of the index rows of one filter, or those among the first records, then sorted. single_pass: all index rows of one filter, for the page and the total. index_only_scan: filter and order from index rows only. offset_seek: all records, from the histogram bucket in which the offset ends. full_scan: all records, because no index provides the order',
    }),
  ),
  filter: Nullable(Type.Integer(), {
    description: 'Index in `filters` of the filter whose index rows are read',
  }),
  bound: Nullable(Type.Integer(), {
    description: 'Maximum rows that are read before the next path is tried',
  }),
  cost: Type.Integer({ description: 'Estimated microseconds; paths are ordered by this value' }),
  isTaken: Type.Boolean({ description: 'Whether the path was tried; the other paths would follow' }),
})
export type ExplainedPath = Static<typeof ExplainedPath>

export const SearchExplanation = StrictObject({
  index: Type.Unsafe<'none' | 'building' | 'ready'>(
    Type.String({ enum: ['none', 'building', 'ready'], description: 'State of the index of the object' }),
  ),
  records: Nullable(Type.Integer(), {
    description: 'Number of records of the object; null if they are not counted',
  }),
  filters: Type.Array(ExplainedFilter),
  paths: Type.Array(ExplainedPath, {
    description: 'Paths in the order in which they are tried until the page is found',
  }),
  milliseconds: Type.Number({ description: 'Measured duration of page and total' }),
  total: Nullable(Type.Integer()),
})
export type SearchExplanation = Static<typeof SearchExplanation>
