// Writes the results of requests: attempts of many endpoints in one transaction.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { StoredAttempt } from './attempt.ts'
import type { EndpointKey } from './endpoint-queue-store.ts'

/** An attempt and the new state of its delivery; named like columns of webhook_attempts and webhook_deliveries. */
export interface NewAttemptRow extends EndpointKey {
  event: string
  attempt: number
  trigger: string
  /** Milliseconds since 1970. */
  startedAt: number
  url: string
  requestHeaders: Record<string, string>
  ip: string | null
  status: number | null
  responseHeaders: Record<string, string | string[]> | null
  /** Base64 */
  responseBody: string | null
  isTruncated: boolean
  failure: string | null
  message: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  durationMs: number
  /** The state of the delivery after the attempt. */
  state: 'pending' | 'succeeded' | 'failed'
  tries: number
  nextInMs: number | null
  type: string
  giveUpInMs: number
}

/** The fields of a row that come from the attempt. */
export const attemptFields = ({ responseBody, startedAt, timings, ...attempt }: StoredAttempt) => ({
  startedAt: startedAt.getTime(),
  url: attempt.url,
  requestHeaders: attempt.requestHeaders,
  ip: attempt.ip,
  status: attempt.status,
  responseHeaders: attempt.responseHeaders,
  responseBody: responseBody?.toString('base64') ?? null,
  isTruncated: attempt.isTruncated,
  failure: attempt.failure,
  message: attempt.message,
  dnsMs: timings.dnsMs,
  connectMs: timings.connectMs,
  tlsMs: timings.tlsMs,
  firstByteMs: timings.firstByteMs,
  durationMs: timings.totalMs,
})

const ROW = sql`
  org int, endpoint uuid, event uuid, attempt int, trigger text, "startedAt" float8, url text,
  "requestHeaders" json, ip text, status int, "responseHeaders" json, "responseBody" text, "isTruncated" boolean,
  failure text, message text, "dnsMs" real, "connectMs" real, "tlsMs" real, "firstByteMs" real, "durationMs" real,
  state text, tries int, "nextInMs" float8, type text, "giveUpInMs" float8`

/**
 * Whether the delivery was replayed while the attempt was in flight. Unless the attempt succeeded, the replay must
 * still be sent.
 */
const isRestarted = sql`d.tries <> excluded.tries - 1 and excluded.state <> 'succeeded'`

/** PostgreSQL rejects U+0000 and lone surrogates. JSON.stringify escapes both, but not complete surrogate pairs. */
const toJson = (rows: readonly NewAttemptRow[]) =>
  JSON.stringify(rows).replaceAll(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd')

/**
 * Common table expressions that write attempts and update their deliveries. They use `on conflict`, because PostgreSQL
 * may plan an update with a join that reads all deliveries. A delivery with a newer attempt is not changed: a worker
 * that sends after it lost its lease sends a duplicate, which must not change the state.
 */
const writtenAttempts = (rows: readonly NewAttemptRow[], now: Sql): Sql => sql`
    r as materialized (select * from json_to_recordset(${toJson(rows)}::json) as r(${ROW})),
    attempt as (
      insert into webhook_attempts (org, endpoint, event, attempt, trigger, started_at, url, request_headers, ip, status,
        response_headers, response_body, is_truncated, failure, message, dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms)
      select org, endpoint, event, attempt, trigger, to_timestamp("startedAt" / 1000), url, "requestHeaders", ip, status,
        "responseHeaders", decode("responseBody", 'base64'), "isTruncated", failure, message,
        "dnsMs", "connectMs", "tlsMs", "firstByteMs", "durationMs"
      from r on conflict do nothing),
    delivery as (
    insert into webhook_deliveries as d (org, endpoint, event, type, state, trigger, attempts, tries, next_attempt_at, give_up_at,
      last_attempt_at, last_status, last_failure, last_duration_ms)
    select org, endpoint, event, type, state, trigger, attempt, tries, ${now} + make_interval(secs => "nextInMs" / 1000),
      ${now} + make_interval(secs => "giveUpInMs" / 1000), to_timestamp("startedAt" / 1000), status, failure, round("durationMs")
    from r
    on conflict (org, endpoint, event) do update set attempts = excluded.attempts,
      state = case when ${isRestarted} then d.state else excluded.state end,
      tries = case when ${isRestarted} then d.tries else excluded.tries end,
      next_attempt_at = case when ${isRestarted} then d.next_attempt_at else excluded.next_attempt_at end,
      last_attempt_at = excluded.last_attempt_at, last_status = excluded.last_status, last_failure = excluded.last_failure, last_duration_ms = excluded.last_duration_ms
    where d.attempts = excluded.attempts - 1)`

/** Attempts with their deliveries, but without statistics, such as those of a test. */
export const insertAttempts = (tx: Db, rows: readonly NewAttemptRow[], now: Sql): Promise<number> =>
  tx.run(sql`with ${writtenAttempts(rows, now)} select from r`)

export interface EndpointStatistics extends EndpointKey {
  succeeded: number
  failed: number
  /** Counts by bucket of LATENCY_STEPS_MS. */
  latency: number[]
}

const COUNTED = sql`as t(org int, endpoint uuid, succeeded int, failed int, latency int[])`

/**
 * Writes attempts, adds them to the statistics of the hour, and ends the failing state of endpoints that responded
 * with 2xx: one statement, because another one would cost as much as several attempts.
 */
export const insertResults = (
  db: Db,
  { rows, statistics }: { rows: readonly NewAttemptRow[]; statistics: readonly EndpointStatistics[] },
  now: Sql,
): Promise<number> =>
  db.run(sql`
    with ${writtenAttempts(rows, now)},
    counted as materialized (select * from jsonb_to_recordset(${JSON.stringify(statistics)}::jsonb) ${COUNTED}),
    answering as (
      update webhook_endpoints w set failing_since = null from counted t
      where t.succeeded > 0 and w.org = t.org and w.id = t.endpoint and w.failing_since is not null),
    hour as (
      insert into webhook_hours as h (org, endpoint, hour, succeeded, failed, latency)
      select t.org, t.endpoint, date_trunc('hour', ${now}, 'UTC'), t.succeeded, t.failed, t.latency
      from counted t
      cross join lateral (select from webhook_endpoints where org = t.org and id = t.endpoint offset 0) as w
      order by t.org, t.endpoint
      on conflict (org, endpoint, hour) do update set
        succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed,
        latency = (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
                   from unnest(h.latency, excluded.latency) with ordinality as t(a, b, place)))
    select from r`)
