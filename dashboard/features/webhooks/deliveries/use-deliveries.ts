// The loaded deliveries that match the filters, updated while they are visible.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { deliveriesQuery, LIVE_MS, newestDeliveriesQuery } from '../api/webhooks.ts'
import type { LogSearch } from '../endpoint-search.ts'
import { useSpace } from '../space.tsx'
import { deliveriesOf } from './log-filters.ts'
import { mergeNewest } from './newest.ts'

/** Pages after the first one change rarely: only by retries and late responses. */
const ALL_MS = 30_000

export function useDeliveries(endpointId: string, search: LogSearch) {
  const space = useSpace()
  const of = deliveriesOf(endpointId, search)
  const pages = useInfiniteQuery({ ...deliveriesQuery(space, of), refetchInterval: ALL_MS })
  const first = pages.data?.pages[0]
  const newest = useQuery({
    ...newestDeliveriesQuery(space, of),
    refetchInterval: LIVE_MS,
    enabled: first !== undefined,
    initialData: first,
    initialDataUpdatedAt: pages.dataUpdatedAt,
  })
  const { data, isFetching, refetch } = pages
  const merged = useMemo(() => {
    const loaded = data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
    return newest.data ? mergeNewest(newest.data, loaded) : { deliveries: loaded, hasGap: false }
  }, [data, newest.data])
  useEffect(() => {
    if (merged.hasGap && !isFetching) void refetch()
  }, [merged.hasGap, isFetching, refetch])
  return { pages, deliveries: merged.deliveries, staleBecause: newest.error ?? undefined }
}
