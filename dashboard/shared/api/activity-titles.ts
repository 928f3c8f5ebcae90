// Titles of activities that other data refers to.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { hasCode } from './errors.ts'

async function findTitle(org: string, activityId: string): Promise<string | null> {
  try {
    return (await request('GET /activities/:activityId', { org, params: { activityId } })).title
  } catch (error) {
    if (hasCode(error, 'not_found')) return null
    throw error
  }
}

/** null: the activity was deleted. */
export const activityTitleQuery = (org: string, activityId: string) =>
  queryOptions({
    queryKey: [org, 'activities', 'title', activityId],
    queryFn: () => findTitle(org, activityId),
  })
