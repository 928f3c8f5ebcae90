// Lists the deliveries of an endpoint.
import type { Problem } from '../../../contract/errors.ts'
import type { Delivery, DeliveryList, DeliveryQuery } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import { invalid, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, pageOf } from '../../http/paging.ts'
import { formatDeliveryId } from '../delivery-id.ts'
import { lowestEventId, readTimestamp } from '../timestamps.ts'
import { findEndpoint } from './endpoint-store.ts'
import { endpointOf } from './references.ts'
import { type DeliveryFilters, type DeliveryRow, selectDeliveries } from './store.ts'

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: formatDeliveryId({ endpoint: row.endpointId, event: row.eventId }),
  ...row,
})

/** Times become ids of events, which contain their time. @throws 400 invalid_parameter */
function filtersOf({ state, type, from, to }: DeliveryQuery): DeliveryFilters {
  const problems: Problem[] = []
  const bound = (path: string, text: string | undefined) => {
    const at = text === undefined ? undefined : readTimestamp(text)
    if (text !== undefined && !at)
      problems.push({ path, code: 'invalid_date', message: 'must be a timestamp in the years 1 to 9999' })
    return at && lowestEventId(at)
  }
  const filters = { state, type, from: bound('from', from), before: bound('to', to) }
  if (problems.length > 0) throw invalid('invalid_parameter', problems)
  return filters
}

/** Newest event first. @throws 400 invalid_parameter, 404 not_found */
export async function listDeliveries(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  endpointId: string,
  query: DeliveryQuery,
): Promise<DeliveryList> {
  const ref = endpointOf(org, endpointId)
  const filters = filtersOf(query)
  const asked = askedPage(query, { seal: sealOf(['deliveries', ref, filters]) })
  if (!(await findEndpoint(db, ref))) throw notFound('endpoint')
  const { found, total } = await selectDeliveries(db, ref, filters, asked)
  const positionOf = ({ eventId }: Delivery) => ({ key: null, id: eventId })
  const { rows: deliveries, pagination } = pageOf(asked, { found: found.map(toDelivery), total, positionOf })
  const { nextCursor } = pagination
  return { deliveries, pagination, ...(nextCursor !== undefined && { nextCursor }) }
}
