// Inserts rows of endpoints, deliveries and attempts in states that the engine reaches only after days.
import sql from 'sql-template-tag'
import type { EventType } from '../../contract/events.ts'
import type { DeliveryState, Failure, Trigger } from '../../contract/webhook-states.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'

type FixtureContext = Pick<Context, 'db' | 'secrets'>

export interface EndpointFields {
  url?: string
  types?: EventType[]
  objs?: number[]
  attributes?: string[]
  isEnabled?: boolean
}

export interface EndpointRows {
  org: number
  endpoint: string
}

/** Inserts an endpoint with its queue and the listener of the organization, as the service does. */
export async function insertEndpoint(
  { db, secrets }: FixtureContext,
  org: number,
  { url = 'https://example.com/hooks', types, objs, attributes, isEnabled = true }: EndpointFields = {},
): Promise<EndpointRows> {
  const endpoint = newId()
  const secret = secrets.seal(
    `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    `webhook_secret:${org}:${endpoint}`,
  )
  await db.run(sql`
    insert into webhook_endpoints (org, id, url, description, event_types, objs, changed_attributes, is_enabled,
      disabled_reason, secret)
    values (${org}, ${endpoint}, ${url}, '', ${types ?? null}, ${objs ?? null}, ${attributes ?? null}, ${isEnabled},
      ${isEnabled ? null : 'manual'}, ${secret})`)
  await db.run(sql`insert into webhook_lanes (org, endpoint) values (${org}, ${endpoint})`)
  await db.run(
    sql`insert into event_listeners (org, listener) values (${org}, 'webhooks') on conflict do nothing`,
  )
  return { org, endpoint }
}

export interface DeliveryFields {
  event?: string
  type?: EventType
  state?: DeliveryState
  trigger?: Trigger
  body?: string
}

/** Inserts a delivery with its message. @returns the id of the event */
export async function insertDelivery(
  { db }: FixtureContext,
  { org, endpoint }: EndpointRows,
  {
    event = newId(),
    type = 'record.created',
    state = 'failed',
    trigger = 'event',
    body = '{}',
  }: DeliveryFields = {},
): Promise<string> {
  const next = state === 'pending' ? sql`now() + interval '1 hour'` : sql`null`
  await db.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${event}, ${type}, ${body})
    on conflict do nothing`)
  await db.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, attempts, tries, next_attempt_at, give_up_at)
    values (${org}, ${endpoint}, ${event}, ${type}, ${state}, ${trigger}, 3, 3, ${next}, now() + interval '1 minute')`)
  return event
}

export interface AttemptFields {
  attempt: number
  status?: number
  response?: string | Buffer
  failure?: Failure
}

export const insertAttempt = (
  { db }: FixtureContext,
  { org, endpoint, event }: EndpointRows & { event: string },
  { attempt, status, response, failure }: AttemptFields,
) =>
  db.run(sql`
    insert into webhook_attempts (org, endpoint, event, attempt, trigger, started_at, url, request_headers, ip, status,
      response_headers, response_body, failure, message, dns_ms, duration_ms)
    values (${org}, ${endpoint}, ${event}, ${attempt}, 'event', now(), 'https://example.com/hooks',
      '{"webhook-id": "evt", "x-key": "••••"}', ${status === undefined ? null : '192.0.2.7'}, ${status ?? null},
      ${status === undefined ? null : '{"set-cookie": ["a", "b"], "server": "x"}'}::json,
      ${response === undefined ? null : Buffer.from(response)}, ${failure ?? null},
      ${failure === undefined ? null : 'It did not work: look there.'}, 1.5, 20.25)`)
