// Parses the ids of endpoints and deliveries in requests.
import { isUuid } from '../../../contract/common.ts'
import { notFound } from '../../base/errors.ts'
import type { EndpointKey } from '../delivery/endpoint-queue-store.ts'
import { type DeliveryKey, parseDeliveryId } from '../delivery-id.ts'

/** @throws 404 not_found for an invalid id */
export function endpointOf(org: number, endpointId: string): EndpointKey {
  if (!isUuid(endpointId)) throw notFound('endpoint')
  return { org, endpoint: endpointId.toLowerCase() }
}

/** @throws 404 not_found for an invalid id */
export function deliveryOf(deliveryId: string): DeliveryKey {
  const key = parseDeliveryId(deliveryId)
  if (!key) throw notFound('delivery')
  return key
}
