// What is kept of a test send: a message, a delivery that has an end already, and its one attempt.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import type { Attempt } from '../attempt.ts'

export interface TestRow {
  endpoint: string
  event: string
  type: EventType
  body: string
  attempt: Attempt
}

const insertMessage = (tx: Db, org: number, { event, type, body }: TestRow) =>
  tx.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${event}, ${type}, ${body})`)

const insertDelivery = (tx: Db, org: number, { endpoint, event, type, attempt }: TestRow) =>
  tx.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, attempts, tries, give_up_at,
      last_attempt_at, last_status, last_failure, last_duration_ms)
    values (${org}, ${endpoint}, ${event}, ${type}, ${attempt.failure === null ? 'succeeded' : 'failed'}, 'test', 1, 1,
      now(), ${attempt.startedAt}, ${attempt.status}, ${attempt.failure}, ${Math.round(attempt.timings.totalMs)})`)

const insertAttempt = (tx: Db, org: number, { endpoint, event, attempt }: TestRow) =>
  tx.run(sql`
    insert into webhook_attempts (org, endpoint, event, attempt, trigger, started_at, url, request_headers, ip, status,
      response_headers, response_body, is_truncated, failure, message, dns_ms, connect_ms, tls_ms, first_byte_ms,
      duration_ms)
    values (${org}, ${endpoint}, ${event}, 1, 'test', ${attempt.startedAt}, ${attempt.url},
      ${JSON.stringify(attempt.requestHeaders)}, ${attempt.ip}, ${attempt.status},
      ${attempt.responseHeaders && JSON.stringify(attempt.responseHeaders)}, ${attempt.responseBody},
      ${attempt.isTruncated}, ${attempt.failure}, ${attempt.message}, ${attempt.timings.dnsMs},
      ${attempt.timings.connectMs}, ${attempt.timings.tlsMs}, ${attempt.timings.firstByteMs},
      ${attempt.timings.totalMs})`)

/** In one transaction. */
export async function insertTest(tx: Db, org: number, test: TestRow): Promise<void> {
  await insertMessage(tx, org, test)
  await insertDelivery(tx, org, test)
  await insertAttempt(tx, org, test)
}
