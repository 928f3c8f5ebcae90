// Requests for endpoints, deliveries and replays. All take the space as a parameter: dashboard or portal.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { EventType } from '../../../../contract/events.ts'
import type {
  CatalogueEntry,
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointPatch,
  EndpointSecret,
  EndpointStats,
  NewEndpoint,
  NewReplay,
  Portal,
  Replay,
} from '../../../../contract/webhooks.ts'
import { request } from '../../../shared/api/client.ts'
import type { Space } from './webhook-space.ts'

export type {
  CatalogueEntry,
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryList,
  Endpoint,
  EndpointPatch,
  EndpointSecret,
  EndpointStats,
  EventType,
  NewEndpoint,
  NewReplay,
  Portal,
  Replay,
}

/** Polling interval of visible data, for `refetchInterval`. */
export const LIVE_MS = 3000

const paramsOf = (id: string) => ({ endpointId: id })

/** The organization, and the objects and attributes that filters can use. */
export const portalQuery = (space: Space) =>
  queryOptions({
    queryKey: [...space.key, 'portal'],
    queryFn: ({ signal }) => space.request('GET /webhooks/portal', { signal }),
  })

/** If Svix delivers webhooks: a new link to Svix's portal, valid for one hour. */
export const svixPortalUrl = async (org: string): Promise<string> =>
  (await request('GET /webhooks', { org })).portalUrl

export const catalogueQuery = (space: Space) =>
  queryOptions({
    queryKey: [...space.key, 'catalogue'],
    queryFn: async ({ signal }) => (await space.request('GET /webhooks/catalogue', { signal })).eventTypes,
    // The catalogue changes only with a new version of the service.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Oldest first. */
export const endpointsQuery = (space: Space) =>
  queryOptions({
    queryKey: [...space.key, 'endpoints', 'list'],
    queryFn: async ({ signal }) => (await space.request('GET /webhooks/endpoints', { signal })).endpoints,
  })

export const endpointQuery = (space: Space, id: string) =>
  queryOptions({
    queryKey: [...space.key, 'endpoints', 'one', id],
    queryFn: ({ signal }) =>
      space.request('GET /webhooks/endpoints/:endpointId', { params: paramsOf(id), signal }),
  })

/** Query keys about endpoints begin with this key. */
export const endpointsKey = (space: Space) => [...space.key, 'endpoints'] as const

export const createEndpoint = (space: Space, body: NewEndpoint) =>
  space.request('POST /webhooks/endpoints', { body })

export const patchEndpoint = (space: Space, { id, patch }: { id: string; patch: EndpointPatch }) =>
  space.request('PATCH /webhooks/endpoints/:endpointId', { params: paramsOf(id), body: patch })

export const deleteEndpoint = (space: Space, id: string) =>
  space.request('DELETE /webhooks/endpoints/:endpointId', { params: paramsOf(id) })

/** Not a query, so that the secret is not cached. */
export const readSecret = (space: Space, id: string) =>
  space.request('GET /webhooks/endpoints/:endpointId/secret', { params: paramsOf(id) })

export const rotateSecret = (space: Space, id: string) =>
  space.request('POST /webhooks/endpoints/:endpointId/secret/rotate', { params: paramsOf(id) })

/** Resolves when the receiver has responded, or after 15 seconds. */
export const sendTest = (space: Space, { id, type }: { id: string; type: EventType }) =>
  space.request('POST /webhooks/endpoints/:endpointId/test', { params: paramsOf(id), body: { type } })

/** Times are ISO 8601. */
export type DeliveryFilters = Pick<DeliveryQuery, 'state' | 'type' | 'from' | 'to'>

const PAGE = 50

export interface DeliveriesOf {
  endpointId: string
  /** Identifies the filters in the query key. */
  name: unknown
  /** Called for each request, because a period such as the last hour moves with the current time. */
  filters(): DeliveryFilters
}

/** A page and its filters, which the next page must use too. */
interface AskedPage extends DeliveryList {
  asked: DeliveryFilters
}

interface PageParam {
  cursor: string
  asked: DeliveryFilters
}

const pageOf =
  (space: Space, { endpointId, filters }: DeliveriesOf) =>
  async ({
    pageParam,
    signal,
  }: {
    pageParam?: PageParam | undefined
    signal: AbortSignal
  }): Promise<AskedPage> => {
    const asked = pageParam?.asked ?? filters()
    const query = { ...asked, limit: PAGE, cursor: pageParam?.cursor, count: false }
    const input = { params: { endpointId }, query, signal }
    return { ...(await space.request('GET /webhooks/endpoints/:endpointId/deliveries', input)), asked }
  }

const deliveriesKey = (space: Space, endpointId: string) =>
  [...space.key, 'deliveries', 'list', endpointId] as const

/** Newest first, page by page. */
export const deliveriesQuery = (space: Space, of: DeliveriesOf) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(space, of.endpointId), 'pages', of.name],
    queryFn: pageOf(space, of),
    initialPageParam: undefined as PageParam | undefined,
    getNextPageParam: ({ pagination: { nextCursor }, asked }) =>
      nextCursor === undefined ? undefined : { cursor: nextCursor, asked },
  })

/** Only the first page, which is polled. */
export const newestDeliveriesQuery = (space: Space, of: DeliveriesOf) =>
  queryOptions({
    queryKey: [...deliveriesKey(space, of.endpointId), 'newest', of.name],
    queryFn: ({ signal }) => pageOf(space, of)({ signal }),
  })

export const deliveryQuery = (space: Space, id: string) =>
  queryOptions({
    queryKey: [...space.key, 'deliveries', 'one', id],
    queryFn: ({ signal }) =>
      space.request('GET /webhooks/deliveries/:deliveryId', { params: { deliveryId: id }, signal }),
  })

/** The delivery is then pending, and its new attempt follows soon. */
export const replayDelivery = (space: Space, id: string) =>
  space.request('POST /webhooks/deliveries/:deliveryId/replay', { params: { deliveryId: id } })

/** Newest first. */
export const replaysQuery = (space: Space, endpointId: string) =>
  queryOptions({
    queryKey: [...space.key, 'replays', endpointId],
    queryFn: async ({ signal }) =>
      (await space.request('GET /webhooks/endpoints/:endpointId/replays', { params: { endpointId }, signal }))
        .replays,
  })

export const startReplay = (
  space: Space,
  { endpointId, replay }: { endpointId: string; replay: NewReplay },
) => space.request('POST /webhooks/endpoints/:endpointId/replays', { params: { endpointId }, body: replay })
