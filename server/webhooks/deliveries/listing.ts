// The list of an endpoint's deliveries: input → page → answer.
import type { Problem } from '../../../contract/errors.ts'
import { PAGE_LIMIT_DEFAULT } from '../../../contract/limits.ts'
import type { Delivery, DeliveryList, DeliveryQuery } from '../../../contract/webhooks.ts'
import type { Caller, Context } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { decodeCursor, encodeCursor, sealOf } from '../../http/cursor.ts'
import { formatDeliveryId } from '../delivery-id.ts'
import { eventsFrom, momentOf } from '../moment.ts'
import { findEndpoint } from './endpoint-store.ts'
import { endpointOf } from './references.ts'
import { type DeliveryFilters, type DeliveryRow, selectDeliveries } from './store.ts'

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: formatDeliveryId({ endpoint: row.endpointId, event: row.eventId }),
  ...row,
})

/** Ids of events contain their time. @throws 400 invalid_parameter */
function filtersOf({ state, type, from, to }: DeliveryQuery): DeliveryFilters {
  const problems: Problem[] = []
  const bound = (path: string, text: string | undefined) => {
    const at = text === undefined ? undefined : momentOf(text)
    if (text !== undefined && !at)
      problems.push({ path, code: 'invalid_date', message: 'must be a timestamp in the years 1 to 9999' })
    return at && eventsFrom(at)
  }
  const filters = { state, type, from: bound('from', from), before: bound('to', to) }
  if (problems.length > 0) throw invalid('invalid_parameter', problems)
  return filters
}

const isNoKey = (key: unknown): key is null => key === null

/** Newest event first. @throws 400 invalid_parameter, 404 not_found */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  { org }: Pick<Caller, 'org'>,
  endpointId: string,
  { limit = PAGE_LIMIT_DEFAULT, cursor, ...query }: DeliveryQuery,
): Promise<DeliveryList> {
  const ref = endpointOf(org, endpointId)
  const filters = filtersOf(query)
  const seal = sealOf(['deliveries', ref, filters])
  const before = cursor === undefined ? filters.before : decodeCursor(cursor, seal, isNoKey).id
  if (!(await findEndpoint(db, ref))) throw notFound('endpoint')
  const rows = await selectDeliveries(db, ref, { ...filters, before, limit: limit + 1 })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    deliveries: rows.slice(0, limit).map(toDelivery),
    ...(last && { nextCursor: encodeCursor(seal, { key: null, id: last.eventId }) }),
  }
}
