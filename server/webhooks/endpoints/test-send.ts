// Sends a test event to one endpoint immediately, signed, and stores it like any other delivery.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import { ATTEMPT_TIMEOUT_MS } from '../../../contract/webhook-states.ts'
import type { DeliveryDetail } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import { notFound, rateLimited } from '../../base/errors.ts'
import { idTime, newId } from '../../base/id.ts'
import { createKeyedSemaphore } from '../../base/keyed-semaphore.ts'
import type { Db } from '../../db/pool.ts'
import type { WebhookContext } from '../context.ts'
import { holdEndpoint } from '../deliveries/endpoint-store.ts'
import { getDelivery } from '../deliveries/service.ts'
import { type StoredAttempt, sendAttempt } from '../delivery/attempt.ts'
import { attemptFields, insertAttempts } from '../delivery/attempts-store.ts'
import { formatDeliveryId } from '../delivery-id.ts'
import { exampleBody } from '../examples.ts'
import { openTarget } from '../target.ts'
import { getEndpoint } from './store.ts'

function testBody(type: EventType, organizationId: string, event: string): string {
  const now = new Date(idTime(event))
  return JSON.stringify({
    ...exampleBody(type, { organizationId, id: event, now }),
    test: true,
    isTest: true,
  })
}

interface TestRow {
  endpoint: string
  event: string
  type: EventType
  body: string
  attempt: StoredAttempt
}

/** Inserts a message, a delivery that has ended, and its one attempt. */
async function insertTest(tx: Db, org: number, { body, attempt, ...test }: TestRow): Promise<void> {
  await tx.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${test.event}, ${test.type}, ${body})`)
  const row = {
    ...test,
    ...attemptFields(attempt),
    org,
    attempt: 1,
    trigger: 'test',
    state: attempt.failure === null ? ('succeeded' as const) : ('failed' as const),
    tries: 1,
    nextInMs: null,
    giveUpInMs: 0,
  }
  await insertAttempts(tx, [row], sql`now()`)
}

/** @throws 404 not_found: the endpoint was deleted during the request */
const keepTest = ({ db }: { db: Db }, org: number, row: TestRow) =>
  db.transaction(async (tx) => {
    if (!(await holdEndpoint(tx, { org, endpoint: row.endpoint }))) throw notFound('endpoint')
    await insertTest(tx, org, row)
  })

/** Limits tests in flight by organization: a link to the portal must not allow unlimited requests. */
const inFlight = createKeyedSemaphore<number>({ places: Number.POSITIVE_INFINITY, perKey: 5 })

/**
 * Sends once, also to a disabled endpoint, without retries. Takes up to ATTEMPT_TIMEOUT_MS. The attempt does not count
 * in the statistics of the endpoint, and never disables it.
 * @throws 404 not_found; 429 rate_limit_exceeded while five others of the organization are in flight
 */
export async function sendTest(
  ctx: Pick<WebhookContext, 'db' | 'clock' | 'secrets' | 'egress'>,
  caller: Pick<Caller, 'org' | 'orgId'>,
  { endpointId, type }: { endpointId: string; type: EventType },
): Promise<DeliveryDetail> {
  const row = await getEndpoint(ctx.db, caller.org, endpointId)
  const key = { endpoint: row.id, event: newId() }
  const body = testBody(type, caller.orgId, key.event)
  const target = openTarget(ctx.secrets, row)
  const attempt = await inFlight.tryWithin(caller.org, () =>
    sendAttempt(ctx, { target, event: key.event, body }),
  )
  if (!attempt) throw rateLimited(ATTEMPT_TIMEOUT_MS / 1000)
  await keepTest(ctx, caller.org, { ...key, type, body, attempt })
  return getDelivery(ctx, caller, formatDeliveryId(key))
}
