// The history of a record, newest first.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { History } from '../../../../contract/history.ts'
import { request } from '../../../shared/api/client.ts'

export type HistoryEntry = History['entries'][number]

const AT_ONCE = 50

export const historyQuery = (org: string, object: string, record: string) =>
  infiniteQueryOptions({
    queryKey: [org, 'history', object, record],
    queryFn: ({ pageParam, signal }) =>
      request('GET /objects/:objectId/records/:recordId/history', {
        org,
        params: { objectId: object, recordId: record },
        query: { limit: AT_ONCE, cursor: pageParam, count: false },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
