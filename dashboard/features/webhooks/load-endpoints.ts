// Loads the data that the pages of endpoints show first.
import { hasCode } from '../../shared/api/errors.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { enterPortal, portalState } from './api/portal-session.ts'
import type { Space } from './api/webhook-space.ts'
import { deliveriesQuery, endpointQuery, endpointsQuery, portalQuery } from './api/webhooks.ts'
import { deliveriesOf } from './deliveries/log-filters.ts'
import { type LogSearch, validEndpointSearch } from './endpoint-search.ts'

/** If Svix delivers webhooks, there is nothing to load: the page links to Svix. */
export async function unlessManagedBySvix<Loaded>(loading: Promise<Loaded>): Promise<Loaded | undefined> {
  try {
    return await loading
  } catch (error) {
    if (hasCode(error, 'managed_by_svix')) return undefined
    throw error
  }
}

/** `portalQuery` is for the filters in the panel that creates an endpoint. */
export const loadEndpoints = (space: Space) =>
  Promise.all([
    queryClient.ensureQueryData({ ...endpointsQuery(space), revalidateIfStale: true }),
    queryClient.ensureQueryData(portalQuery(space)),
  ])

/** Starts loading the log. The page does not wait for it. */
function beginLog(space: Space, id: string, search: LogSearch): void {
  const query = deliveriesQuery(space, deliveriesOf(id, search))
  // Only if nothing is cached: another prefetch would drop the pages that the log has loaded.
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
 * Loads a page of the portal if the link or session is valid; else the frame shows what to do.
 * @throws ApiError, except when the session has ended
 */
export async function inPortal(load: () => Promise<unknown>): Promise<void> {
  if ((await enterPortal()) !== 'open') return
  try {
    await load()
  } catch (error) {
    if (portalState() === 'open') throw error
  }
}
