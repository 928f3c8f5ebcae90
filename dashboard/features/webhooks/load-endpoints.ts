// What the pages of endpoints show first.
import { hasCode } from '../../shared/api/errors.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { enterPortal, portalState } from './api/portal-session.ts'
import type { Space } from './api/webhook-space.ts'
import { deliveriesQuery, endpointQuery, endpointsQuery, portalQuery } from './api/webhooks.ts'
import { deliveriesOf } from './deliveries/log-filters.ts'
import { type LogSearch, validEndpointSearch } from './endpoint-search.ts'

/** Where Svix delivers there is nothing to load: the page says where endpoints are. */
export async function unlessManagedBySvix<Loaded>(loading: Promise<Loaded>): Promise<Loaded | undefined> {
  try {
    return await loading
  } catch (error) {
    if (hasCode(error, 'managed_by_svix')) return undefined
    throw error
  }
}

/** `portalQuery` is for the filters of an endpoint, in the panel that makes one. */
export const loadEndpoints = (space: Space) =>
  Promise.all([
    queryClient.ensureQueryData({ ...endpointsQuery(space), revalidateIfStale: true }),
    queryClient.ensureQueryData(portalQuery(space)),
  ])

/** The log comes when it comes: the page is shown without it. */
function beginLog(space: Space, id: string, search: LogSearch): void {
  const query = deliveriesQuery(space, deliveriesOf(id, search))
  // Loaded again, it would start again with its first page: that is the page's own to do.
  if (queryClient.getQueryData(query.queryKey) === undefined) void queryClient.prefetchInfiniteQuery(query)
}

export function loadEndpoint(space: Space, id: string, search: object) {
  beginLog(space, id, validEndpointSearch(search as Record<string, unknown>))
  return Promise.all([
    queryClient.ensureQueryData({ ...endpointQuery(space, id), revalidateIfStale: true }),
    queryClient.ensureQueryData(portalQuery(space)),
  ])
}

/**
 * Loads a page of the portal when its link or its session lets one in; else its frame says what to do.
 * @throws ApiError, but for a session that turns out to have ended
 */
export async function inPortal(load: () => Promise<unknown>): Promise<void> {
  if ((await enterPortal()) !== 'open') return
  try {
    await load()
  } catch (error) {
    if (portalState() === 'open') throw error
  }
}
