// Changes an activity in every list that has it, or should have it, before the service has answered.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type Activity, type ActivityFilters, type ActivityPage, activityListsKey } from '../api.ts'
import { isInList } from './matching.ts'

type Pages = InfiniteData<ActivityPage, string | undefined>

const place = (activities: readonly Activity[], activity: Activity): Activity[] => {
  const before = activities.filter(({ activityDate }) => activityDate > activity.activityDate)
  return [...before, activity, ...activities.slice(before.length)]
}

const without = (pages: Pages, id: string): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    activities: page.activities.filter((activity) => activity.id !== id),
  })),
})

const isLastFor = (page: ActivityPage, { activityDate }: Activity) => {
  const last = page.activities.at(-1)
  return page.pagination.nextCursor === undefined || (last !== undefined && last.activityDate <= activityDate)
}

/** In its place by date; not at all where the page of its date is not loaded. */
function withActivity(pages: Pages, activity: Activity): Pages {
  const at = pages.pages.findIndex((page) => isLastFor(page, activity))
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === at ? { ...page, activities: place(page.activities, activity) } : page,
    ),
  }
}

/** @param id the one it takes the place of @param activity undefined: it goes */
export function putActivity(client: QueryClient, org: string, id: string, activity?: Activity): void {
  for (const [key, pages] of client.getQueriesData<Pages>({ queryKey: activityListsKey(org) })) {
    if (!pages) continue
    const rest = without(pages, id)
    const belongs = activity && isInList(activity, key.at(-1) as ActivityFilters)
    client.setQueryData(key, belongs ? withActivity(rest, activity) : rest)
  }
}
