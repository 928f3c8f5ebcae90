// The log of erasures.
import { queryOptions } from '@tanstack/react-query'
import { request } from '../../../shared/api/client.ts'

const POLL_MS = 1000
const SHOWN = 100

/** Polled while a request is running. */
export const privacyRequestsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'privacy-requests'],
    queryFn: () => request('GET /privacy/requests', { org, query: { limit: SHOWN } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.requests.some(({ state }) => state === 'running') && POLL_MS,
  })
