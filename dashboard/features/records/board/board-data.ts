// The requests of a board and their query keys.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { latestRecords } from '../../../shared/api/held-records.ts'
import { recordsKey, type SearchBody, searchRecords } from '../../../shared/api/records.ts'
import type { AskedTree } from '../../../shared/filters/filter.ts'
import type { Sort } from '../../../shared/filters/view-state.ts'
import { groupsQuery } from '../api/groups.ts'
import { type BoardAttributes, type ColumnValue, columnFilter } from './columns.ts'

export interface BoardSource extends BoardAttributes {
  org: string
  object: ObjectWithAttributes
  filter: AskedTree | null
  sort: readonly Sort[]
}

const PAGE = 50

/** The cards of one column, page by page. */
export function columnQuery({ org, object, groupBy, filter, sort }: BoardSource, value: ColumnValue) {
  const body: SearchBody = {
    ...{ filter: columnFilter(groupBy, value, filter), sort: [...sort] },
    ...{ limit: PAGE, count: false },
  }
  return infiniteQueryOptions({
    queryKey: [...recordsKey(org, object.slug), 'board', body],
    queryFn: ({ pageParam, signal }) =>
      searchRecords(org, object.slug, { ...body, ...(pageParam && { cursor: pageParam }) }, signal),
    structuralSharing: latestRecords,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
}

/** The exact count and the sums of every column. */
export const boardGroupsQuery = ({ org, object, groupBy, sumOf, filter }: BoardSource) =>
  groupsQuery(org, object.slug, {
    by: groupBy.slug,
    ...(sumOf && { sumOf: sumOf.slug }),
    ...(filter && { filter }),
  })
