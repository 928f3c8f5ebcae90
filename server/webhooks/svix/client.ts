// A client for the parts of Svix's API that the service uses. It does not use the `svix` package, which writes payloads
// with JSON.stringify and so rounds long numbers, reads responses of any length, and throws a SyntaxError when a proxy
// responds without JSON.
import { STATUS_CODES } from 'node:http'
import type { SvixAccess } from '../../config/config.ts'
import type { EgressOutcome, EgressRequest } from '../../http/egress/exchange.ts'
import { createEgress } from '../../http/egress.ts'

export interface SvixAnswer {
  /** null: there was no complete response. */
  status: number | null
  body: string
  retryAfter: string | undefined
  /** A description of the error; null for 2xx. */
  problem: string | null
}

export interface SvixMessage {
  /** Id of the event: Svix accepts each id once. */
  event: string
  type: string
  /** Text of a JSON object, sent unchanged. */
  body: string
  tries: number
}

export interface SvixEventType {
  name: string
  description: string
  /** JSON Schema of the body */
  schema: object
}

/** Requests resolve also for errors and without a response. They reject only with the reason of a signal. */
export interface Svix {
  /** The host of Svix, for messages. */
  readonly host: string
  /** Creates an application unless one with this `uid` exists. */
  createApplication(application: { uid: string; name: string }, signal?: AbortSignal): Promise<SvixAnswer>
  /** Returns a link that opens the portal of an application for an hour. */
  openPortal(uid: string): Promise<SvixAnswer>
  createMessage(uid: string, message: SvixMessage, signal?: AbortSignal): Promise<SvixAnswer>
  createEventType(type: SvixEventType, signal?: AbortSignal): Promise<SvixAnswer>
  updateEventType(type: SvixEventType, signal?: AbortSignal): Promise<SvixAnswer>
  /** Checks whether Svix responds and accepts the token. */
  check(): Promise<SvixAnswer>
  close(): Promise<void>
}

interface Ask extends Pick<EgressRequest, 'method'> {
  /** With its query */
  path: string
  body?: string
  timeoutMs: number
  idempotencyKey?: string
  signal?: AbortSignal | undefined
}

const MESSAGE_TIMEOUT_MS = 15_000
/** For requests that a caller waits for. */
const SHORT_TIMEOUT_MS = 8000
/** The URL of a portal may have 65536 characters. */
const ANSWER_BYTES_MAX = 128 * 1024
const DETAIL_MAX = 300
const PORTAL_SECONDS = 3600

/** The error text of Svix on one line. */
const detail = (body: string) => body.replace(/\s+/g, ' ').trim().slice(0, DETAIL_MAX)

function problemOf({ status }: { status: number }, body: string): string | null {
  if (status >= 200 && status < 300) return null
  const said = detail(body)
  return `responded with ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() + (said === '' ? '' : `: ${said}`)
}

function answerOf({ response, failure, message }: EgressOutcome): SvixAnswer {
  if (response === null || failure !== null)
    return { status: null, body: '', retryAfter: undefined, problem: message ?? 'there was no response' }
  const body = response.body.toString()
  return {
    status: response.status,
    body,
    retryAfter: [response.headers['retry-after']].flat()[0],
    problem: problemOf(response, body),
  }
}

const headersOf = (token: string, { body, idempotencyKey }: Ask): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Rapport-Webhooks/1',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
})

type Send = (ask: Ask) => Promise<SvixAnswer>

function createSend({ token, url }: SvixAccess, egress: ReturnType<typeof createEgress>): Send {
  return async (ask) => {
    const { method, path, body, timeoutMs, signal } = ask
    const outcome = await egress.send({
      method,
      url: `${url}${path}`,
      headers: headersOf(token, ask),
      timeoutMs,
      responseBytesMax: ANSWER_BYTES_MAX,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return answerOf(outcome)
  }
}

/**
 * Every try has its own key, because Svix stores the response for a key, also failures. Svix still detects duplicate
 * events by their eventId.
 */
const keyOf = ({ event, tries }: SvixMessage) => (tries === 0 ? event : `${event}-${tries}`)

/** Inserts the body as text, so that numbers keep their digits. */
const messageText = ({ event, type, body }: SvixMessage) =>
  `{"eventType":${JSON.stringify(type)},"eventId":${JSON.stringify(event)},"payload":${body}}`

const typeFields = ({ description, schema }: SvixEventType) => ({ description, schemas: { '1': schema } })

function messages(send: Send): Pick<Svix, 'createMessage'> {
  return {
    createMessage: (uid, message, signal) =>
      send({
        method: 'POST',
        path: `/api/v1/app/${uid}/msg?with_content=false`,
        body: messageText(message),
        idempotencyKey: keyOf(message),
        timeoutMs: MESSAGE_TIMEOUT_MS,
        signal,
      }),
  }
}

function eventTypes(send: Send): Pick<Svix, 'createEventType' | 'updateEventType' | 'check'> {
  const path = '/api/v1/event-type'
  const timeoutMs = SHORT_TIMEOUT_MS
  return {
    createEventType: (type, signal) => {
      const body = JSON.stringify({ name: type.name, ...typeFields(type) })
      return send({ method: 'POST', path, body, timeoutMs, signal })
    },
    updateEventType: (type, signal) => {
      const body = JSON.stringify(typeFields(type))
      return send({ method: 'PATCH', path: `${path}/${type.name}`, body, timeoutMs, signal })
    },
    check: () => send({ method: 'GET', path: `${path}?limit=1`, timeoutMs }),
  }
}

/** Creates the client, once per process. The operator configures its URL, so private addresses are allowed. */
export function createSvix(access: SvixAccess): Svix {
  const egress = createEgress({ allowPrivate: true })
  const send = createSend(access, egress)
  const timeoutMs = SHORT_TIMEOUT_MS
  return {
    host: new URL(access.url).host,
    createApplication: (application, signal) => {
      const body = JSON.stringify(application)
      return send({ method: 'POST', path: '/api/v1/app?get_if_exists=true', body, timeoutMs, signal })
    },
    openPortal: (uid) => {
      const body = JSON.stringify({ expiry: PORTAL_SECONDS })
      return send({ method: 'POST', path: `/api/v1/auth/app-portal-access/${uid}`, body, timeoutMs })
    },
    ...messages(send),
    ...eventTypes(send),
    close: () => egress.close(),
  }
}
