// What happens to deliveries, in terms that the service, the portal and the CLI share. The browser reads it at run time.

/** Who delivers; svix: endpoints are set in its portal, which portalUrl of GET /webhooks opens. */
export const WEBHOOK_PROVIDERS = ['builtin', 'svix'] as const

/** pending: an attempt is to come; cancelled: its endpoint stayed disabled until the time for retries was over. */
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What started an attempt. */
export const TRIGGERS = ['event', 'replay', 'test'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** Why an attempt came to no answer, or to one that is a failure. */
export const FAILURES = [
  'status', // an answer other than 2xx
  'redirect', // an answer that leads elsewhere: never followed
  'blocked_address', // a private or special address
  'dns', // the name does not resolve
  'refused', // nothing listens there
  'tls', // the certificate or the handshake
  'timeout', // no complete answer in time
  'reset', // the connection broke
  'invalid_response', // what came is not HTTP
  'unreadable_secret', // the endpoint's secrets were sealed under another key
] as const
export type Failure = (typeof FAILURES)[number]

/** manual: a person did; gone: the receiver answered 410; failing: nothing but failures for 5 days. */
export const DISABLED_REASONS = ['manual', 'gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Upper ends of the steps of a latency histogram; the last step has none. */
export const LATENCY_STEPS_MS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const

export const ENDPOINTS_MAX = 100
/** Waiting deliveries of an endpoint are counted up to here: the list counts them for every endpoint in one query. */
export const WAITING_COUNT_MAX = 1000
export const ENDPOINT_URL_MAX = 2048
export const ENDPOINT_HEADERS_MAX = 20
export const ENDPOINT_RATE_MAX = 1000

/** A request to an endpoint that has no answer by then has failed. */
export const ATTEMPT_TIMEOUT_MS = 15_000
/** So much of an answer's body is read and kept. */
export const RESPONSE_BYTES_MAX = 16 * 1024
/** How long two secrets sign after a rotation. */
export const ROTATION_GRACE_HOURS = 24
export const PORTAL_LINK_HOURS = 1
export const PORTAL_SESSION_HOURS = 8
