// Updates an activity in every cached list that it belongs to, before the service has answered.
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

/** Inserts the activity by date; omits it if the page of its date is not loaded. */
function withActivity(pages: Pages, activity: Activity): Pages {
  const at = pages.pages.findIndex((page) => isLastFor(page, activity))
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === at ? { ...page, activities: place(page.activities, activity) } : page,
    ),
  }
}

/** @param id of the activity to replace @param activity the new version; undefined: the old one is removed */
export function putActivity(client: QueryClient, org: string, id: string, activity?: Activity): void {
  for (const [key, pages] of client.getQueriesData<Pages>({ queryKey: activityListsKey(org) })) {
    if (!pages) continue
    const rest = without(pages, id)
    const belongs = activity && isInList(activity, key.at(-1) as ActivityFilters)
    client.setQueryData(key, belongs ? withActivity(rest, activity) : rest)
  }
}
