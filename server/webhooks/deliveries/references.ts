// Endpoints and deliveries as requests name them.
import { isUuid } from '../../../contract/common.ts'
import { notFound } from '../../errors.ts'
import { type DeliveryKey, parseDeliveryId } from '../delivery-id.ts'
import type { LaneKey } from '../lanes-store.ts'

/** @throws 404 not_found when it cannot be one */
export function endpointOf(org: number, endpointId: string): LaneKey {
  if (!isUuid(endpointId)) throw notFound('endpoint')
  return { org, endpoint: endpointId.toLowerCase() }
}

/** @throws 404 not_found when it cannot be one */
export function deliveryOf(deliveryId: string): DeliveryKey {
  const key = parseDeliveryId(deliveryId)
  if (!key) throw notFound('delivery')
  return key
}
