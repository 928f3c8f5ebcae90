// One attempt of one delivery: signs and sends it, and returns the result. Writes nothing.
import { STATUS_CODES } from 'node:http'
import { ATTEMPT_TIMEOUT_MS, type Failure, RESPONSE_BYTES_MAX } from '../../../contract/webhook-states.ts'
import type { EgressOutcome, EgressResponse, EgressTimings } from '../../http/egress/exchange.ts'
import type { WebhookContext } from '../context.ts'
import { deliveryHeaders } from '../signature.ts'
import type { WebhookTarget } from '../target.ts'

/** The stored part of an attempt (webhook_attempts). */
export interface StoredAttempt {
  startedAt: Date
  url: string
  /** As sent, with the values of custom headers masked. */
  requestHeaders: Record<string, string>
  /** The IP address of the receiver; null without a connection. */
  ip: string | null
  /** The response, as far as it was received: a failure can have one too. */
  status: number | null
  responseHeaders: Record<string, string | string[]> | null
  responseBody: Buffer | null
  isTruncated: boolean
  /** null: success, a complete response with 2xx. */
  failure: Failure | null
  message: string | null
  timings: EgressTimings
}

interface Sending {
  target: WebhookTarget
  /** Id of the event: `webhook-id`. */
  event: string
  body: string
  /** Aborts the attempt, which then rejects with the reason of the signal. */
  signal?: AbortSignal
}

const MASK = '••••'
const LOCATION_MAX = 200

const UNREADABLE =
  'not sent: the secret or the headers of this endpoint were encrypted with a key that this installation no longer has. Rotate the secret and enter the headers again, or restore the key'

const notSent = (startedAt: Date, url: string): StoredAttempt => ({
  startedAt,
  url,
  requestHeaders: {},
  ip: null,
  status: null,
  responseHeaders: null,
  responseBody: null,
  isTruncated: false,
  failure: 'unreadable_secret',
  message: UNREADABLE,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
})

/** Advice for responses with a likely cause. */
const ADVICE: Readonly<Record<number, string>> = {
  401: 'does the receiver require credentials? Add them as headers of the endpoint',
  403: 'does the receiver require credentials? Add them as headers of the endpoint',
  404: 'is the path of the URL right?',
  405: 'does the receiver accept POST at this path?',
  410: 'the receiver wants no more events',
  413: 'the receiver must accept larger bodies',
  429: 'the receiver asks for fewer requests: give the endpoint a rate limit',
}

const isServerError = (status: number) => status >= 500 && status < 600

function answered(status: number): string {
  const reason = STATUS_CODES[status]
  return `responded with ${status}${reason === undefined ? '' : ` ${reason}`}`
}

function redirected({ status, headers }: EgressResponse): string {
  const location = [headers['location']].flat()[0]?.slice(0, LOCATION_MAX)
  const to = location === undefined ? '' : ` and redirects to ${location}`
  return `${answered(status)}${to}: redirects are not followed, so enter the final URL`
}

/** Whether a complete response is a failure. */
function failureOfAnswer(response: EgressResponse): Pick<StoredAttempt, 'failure' | 'message'> {
  const { status } = response
  if (status >= 200 && status < 300) return { failure: null, message: null }
  if (status >= 300 && status < 400) return { failure: 'redirect', message: redirected(response) }
  const advice = ADVICE[status] ?? (isServerError(status) ? 'check the receiver’s log' : undefined)
  return {
    failure: 'status',
    message: advice === undefined ? answered(status) : `${answered(status)}: ${advice}`,
  }
}

function failureOf({
  failure,
  message,
  response,
}: EgressOutcome): Pick<StoredAttempt, 'failure' | 'message'> {
  if (failure !== null) return { failure, message }
  // Neither a failure nor a response: the client never returns this, and it is not a success.
  return response
    ? failureOfAnswer(response)
    : { failure: 'invalid_response', message: 'there was no response' }
}

function masked(headers: Record<string, string>, own: readonly { name: string }[]): Record<string, string> {
  if (own.length === 0) return headers
  const names = new Set(own.map(({ name }) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, names.has(name.toLowerCase()) ? MASK : value]),
  )
}

const answerOf = ({ ip, timings, response }: EgressOutcome) => ({
  ip,
  status: response?.status ?? null,
  responseHeaders: response?.headers ?? null,
  responseBody: response?.body ?? null,
  isTruncated: response?.isTruncated ?? false,
  timings,
})

/** Signs and sends a message to an endpoint. Failures of the receiver are results, not errors. */
export async function sendAttempt(
  { egress, clock }: Pick<WebhookContext, 'egress' | 'clock'>,
  { target: { url, keys }, event, body, signal }: Sending,
): Promise<StoredAttempt> {
  const startedAt = clock.now()
  if (!keys) return notSent(startedAt, url)
  const { secrets, headers: own } = keys
  const timestamp = Math.floor(startedAt.getTime() / 1000)
  const headers = deliveryHeaders({ secrets, id: event, timestamp, body, own })
  const outcome = await egress.send({
    method: 'POST',
    url,
    headers,
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    responseBytesMax: RESPONSE_BYTES_MAX,
    ...(signal && { signal }),
  })
  return { startedAt, url, requestHeaders: masked(headers, own), ...answerOf(outcome), ...failureOf(outcome) }
}
