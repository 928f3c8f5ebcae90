// Creates deliveries in every state. In the webhook engine, some states take days.
import sql from 'sql-template-tag'
import type { EventType } from '../../contract/events.ts'
import type { DeliveryState, Failure, Trigger } from '../../contract/webhook-states.ts'
import { newIdAt } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { formatDeliveryId } from '../../server/webhooks/delivery-id.ts'
import type { EndpointRows } from '../../server/webhooks/endpoint.fixture.ts'

type Db = Pick<Context, 'db'>

export interface AttemptMade {
  status?: number
  failure?: Failure
  message?: string
  response?: string
  isTruncated?: boolean
  trigger?: Trigger
  /** In milliseconds. */
  dns?: number | null
  total?: number
}

export interface DeliveryMade {
  type?: EventType
  state?: DeliveryState
  trigger?: Trigger
  body?: string
  minutesAgo?: number
  /** Oldest attempt first. */
  attempts?: readonly AttemptMade[]
}

interface DeliveryRows extends EndpointRows {
  event: string
}

const requestHeaders = (event: string) => ({
  'content-type': 'application/json',
  'user-agent': 'Rapport-Webhooks/1',
  'webhook-id': event,
  'webhook-timestamp': '1795273445',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'x-api-key': '••••',
})

/** Adds an attempt to a delivery, which then has the given state. */
export async function addAttempt(
  { db }: Db,
  { org, endpoint, event }: DeliveryRows,
  { state, ...made }: AttemptMade & { state: DeliveryState },
): Promise<void> {
  const { status = null, failure = null, message = null, trigger = 'event', dns = 1.2, total = 96.1 } = made
  const response = status === null ? null : Buffer.from(made.response ?? '')
  const answered = status === null ? null : '{"content-type": "application/json", "server": "nginx"}'
  const { attempt } = await db.one<{ attempt: number }>(sql`
    update webhook_deliveries set state = ${state}, attempts = attempts + 1, tries = tries + 1, last_attempt_at = now(),
      next_attempt_at = case when ${state} = 'pending' then now() + interval '12 minutes' end,
      last_status = ${status}, last_failure = ${failure}, last_duration_ms = ${Math.round(total)}
    where org = ${org} and endpoint = ${endpoint} and event = ${event} returning attempts as attempt`)
  await db.run(sql`
    insert into webhook_attempts (org, endpoint, event, attempt, trigger, started_at, url, request_headers, ip, status,
      response_headers, response_body, is_truncated, failure, message, dns_ms, connect_ms, tls_ms, first_byte_ms,
      duration_ms)
    values (${org}, ${endpoint}, ${event}, ${attempt}, ${trigger}, now(), 'https://hooks.example.com/rapport/events',
      ${JSON.stringify(requestHeaders(event))}, '203.0.113.7', ${status}, ${answered}, ${response},
      ${made.isTruncated ?? false}, ${failure}, ${message}, ${dns}, 8.4, 21.7, ${status === null ? null : total - 2},
      ${total})`)
}

/** @returns the id of the event and the public id of the delivery */
export async function addDelivery(
  ctx: Db,
  { org, endpoint }: EndpointRows,
  made: DeliveryMade = {},
): Promise<{ event: string; id: string }> {
  const { type = 'record.created', state = 'succeeded', trigger = 'event', minutesAgo = 0 } = made
  const event = newIdAt(new Date(Date.now() - minutesAgo * 60_000))
  const body = made.body ?? JSON.stringify({ id: event, type, data: { name: 'Initrode' } })
  await ctx.db.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${event}, ${type}, ${body})`)
  await ctx.db.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, next_attempt_at, give_up_at, created_at)
    values (${org}, ${endpoint}, ${event}, ${type}, ${state}, ${trigger},
      ${state === 'pending' ? sql`now() + interval '12 minutes'` : sql`null`}, now() + interval '70 hours',
      now() - make_interval(mins => ${minutesAgo}))`)
  for (const attempt of made.attempts ?? [])
    await addAttempt(ctx, { org, endpoint, event }, { state, ...attempt })
  return { event, id: formatDeliveryId({ endpoint, event }) }
}
