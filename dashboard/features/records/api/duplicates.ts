// Requests for groups of duplicate records, and for the search that finds them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DuplicateGroup, DuplicateSearch } from '../../../../contract/duplicates.ts'
import { request } from '../../../shared/api/client.ts'
import { fieldQuery } from '../../../shared/api/queries.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export type { DuplicateGroup, DuplicateSearch }

const AT_ONCE = 25
const RUNNING_MS = 1000

/** Begins with the key of the records, because changes of records change the groups. */
const groupsKey = (org: string, object: string) => [...recordsKey(org, object), 'duplicates'] as const

const readGroups = (
  {
    org,
    object,
    ...query
  }: { org: string; object: string; isDismissed: boolean; limit: number; offset: number },
  signal: AbortSignal,
) => request('GET /objects/:objectId/duplicates', { org, params: { objectId: object }, query, signal })

export const duplicateGroupsQuery = (org: string, object: string, isDismissed: boolean) =>
  infiniteQueryOptions({
    queryKey: [...groupsKey(org, object), 'list', isDismissed],
    queryFn: ({ pageParam: offset, signal }) =>
      readGroups({ org, object, isDismissed, limit: AT_ONCE, offset }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { total = 0, offset, limit } }) =>
      offset + limit < total ? offset + limit : undefined,
  })

export const duplicateCountQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [...groupsKey(org, object), 'count'],
    queryFn: async ({ signal }) => {
      const page = { org, object, isDismissed: false, limit: 1, offset: 0 }
      const { pagination } = await readGroups(page, signal)
      return pagination.total ?? 0
    },
  })

const searchKey = (org: string, object: string) => [org, 'duplicate-search', object] as const

/** The latest search. Polled while it runs. */
export const duplicateSearchQuery = (org: string, object: string) =>
  queryOptions({
    ...fieldQuery(
      searchKey(org, object),
      'GET /objects/:objectId/duplicate-search',
      { org, params: { objectId: object } },
      'search',
    ),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_MS : false),
  })

export const startDuplicateSearch = (org: string, object: string) =>
  request('POST /objects/:objectId/duplicate-search', { org, params: { objectId: object } })

export const cancelDuplicateSearch = (org: string, object: string) =>
  request('POST /objects/:objectId/duplicate-search/cancel', { org, params: { objectId: object } })

export const dismissDuplicates = (org: string, object: string, groupId: string, isDismissed: boolean) =>
  request('PATCH /objects/:objectId/duplicates/:groupId', {
    org,
    params: { objectId: object, groupId },
    body: { isDismissed },
  })
