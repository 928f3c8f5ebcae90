// The loaded activities that match filters, in the order of the page.
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useOrg } from '../../shared/use-organization.ts'
import { useTicking } from '../../ui/use-ticking.ts'
import { type ActivityFilters, type ActivityPage, activitiesQuery } from './api.ts'
import { type Arranged, arrange } from './arrange.ts'

/** The filters for open tasks, which are shown first regardless of their age. */
export const openTaskFilters = (filters: ActivityFilters): ActivityFilters => ({ ...filters, isOpen: true })

const MINUTE_MS = 60_000

const mayHaveTasks = ({ type, isOpen }: ActivityFilters) =>
  (type === undefined || type === 'task') && isOpen === undefined

type Pages = Pick<
  UseInfiniteQueryResult<InfiniteData<ActivityPage>>,
  'data' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>

/** Loads all future activities: the service returns the latest dates first. */
function useAllAhead({ data, hasNextPage, isFetchingNextPage, fetchNextPage }: Pages, isAsked = true): void {
  const last = data?.pages.at(-1)?.activities.at(-1)
  const isAllAhead = isAsked && last !== undefined && Date.parse(last.activityDate) > Date.now()
  useEffect(() => {
    if (isAllAhead && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isAllAhead, hasNextPage, isFetchingNextPage, fetchNextPage])
}

export function useActivityList(filters: ActivityFilters) {
  const org = useOrg()
  const list = useInfiniteQuery(activitiesQuery(org, filters))
  const hasTasks = mayHaveTasks(filters)
  const tasks = useInfiniteQuery({ ...activitiesQuery(org, openTaskFilters(filters)), enabled: hasTasks })
  const { data } = list
  const loaded = useMemo(() => data?.pages.flatMap(({ activities }) => activities) ?? [], [data])
  // A disabled query still returns what is in the cache.
  const open = hasTasks ? tasks.data : undefined
  const minute = useTicking((now) => Math.floor(now / MINUTE_MS))
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each minute a task may be late
  const arranged: Arranged = useMemo(
    () => arrange([...loaded, ...(open?.pages.flatMap(({ activities }) => activities) ?? [])], Date.now()),
    [loaded, open, minute],
  )
  useAllAhead(list)
  useAllAhead(tasks, hasTasks)
  return { list, loaded, arranged, total: data?.pages[0]?.pagination.total }
}
