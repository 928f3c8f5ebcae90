// Reads and replays one delivery.
import type { Delivery, DeliveryAttempt, DeliveryDetail } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { lockEndpointQueue, wakeEndpointQueue } from '../delivery/endpoint-queue-store.ts'
import { findEndpoint } from './endpoint-store.ts'
import { toDelivery } from './listing.ts'
import { deliveryOf } from './references.ts'
import { type AttemptRow, findDelivery, restartDelivery, selectAttempts } from './store.ts'

/** A delivery can have more attempts after many replays. The latest are shown. */
const ATTEMPTS_SHOWN = 100

export const endpointDisabled = () =>
  new AppError('endpoint_disabled', 'This endpoint is disabled: enable it, then replay')

const responseOf = (row: AttemptRow): DeliveryAttempt['response'] =>
  row.status === null
    ? null
    : {
        status: row.status,
        headers: row.responseHeaders ?? {},
        body: row.responseBody?.toString('utf8') ?? '',
        isTruncated: row.isTruncated,
      }

const toAttempt = (row: AttemptRow): DeliveryAttempt => ({
  attempt: row.attempt,
  trigger: row.trigger,
  startedAt: row.startedAt,
  request: { method: 'POST', url: row.url, headers: row.requestHeaders, ip: row.ip },
  response: responseOf(row),
  failure: row.failure,
  message: row.message,
  timings: {
    dnsMs: row.dnsMs,
    connectMs: row.connectMs,
    tlsMs: row.tlsMs,
    firstByteMs: row.firstByteMs,
    totalMs: row.totalMs,
  },
})

/** @throws 404 not_found */
export async function getDelivery(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const key = deliveryOf(deliveryId)
  const row = await findDelivery(db, org, key)
  if (!row) throw notFound('delivery')
  const attempts = await selectAttempts(db, org, { key, limit: ATTEMPTS_SHOWN })
  const { endpointUrl, body, ...delivery } = row
  return { ...toDelivery(delivery), endpointUrl, body, attemptList: attempts.map(toAttempt) }
}

const noReplayOfTests = () => new AppError('wrong_state', 'A test is sent only once: send another test')

/** Starts the delivery again, in any state. @throws 404 not_found, 409 endpoint_disabled or wrong_state for a test */
export function replayDelivery(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  deliveryId: string,
): Promise<Delivery> {
  const key = deliveryOf(deliveryId)
  const ref = { org, endpoint: key.endpoint }
  return db.transaction(async (tx) => {
    await lockEndpointQueue(tx, ref)
    const endpoint = await findEndpoint(tx, ref)
    if (!endpoint) throw notFound('delivery')
    // Checked before the state of the endpoint: an unknown delivery is a 404, also for a disabled endpoint.
    const restarted = await restartDelivery(tx, org, key)
    if (!restarted) throw notFound('delivery')
    const { startedAs, ...row } = restarted
    if (startedAs === 'test') throw noReplayOfTests()
    if (!endpoint.isEnabled) throw endpointDisabled()
    await wakeEndpointQueue(tx, ref)
    return toDelivery(row)
  })
}
