// States of deliveries, shared by the service, the portal and the CLI. The browser loads this at run time.

/** Who delivers. svix: endpoints are configured in its portal, which portalUrl of GET /webhooks opens. */
export const WEBHOOK_PROVIDERS = ['builtin', 'svix'] as const

/** pending: an attempt will follow. cancelled: the endpoint stayed disabled until the end of the retry time. */
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What started an attempt. */
export const TRIGGERS = ['event', 'replay', 'test'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** Why an attempt failed. */
export const FAILURES = [
  'status', // an answer other than 2xx
  'redirect', // a redirect, which is never followed
  'blocked_address', // a private or special address
  'dns', // the name does not resolve
  'refused', // nothing listens there
  'tls', // the certificate or the handshake
  'timeout', // no complete answer in time
  'reset', // the connection broke
  'invalid_response', // the response is not HTTP
  'unreadable_secret', // the endpoint's secrets were encrypted with another key
] as const
export type Failure = (typeof FAILURES)[number]

/** manual: by a person. gone: the receiver responded with 410. failing: only failures for 5 days. */
export const DISABLED_REASONS = ['manual', 'gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Upper bounds of the buckets of a latency histogram. One more bucket has no upper bound. */
export const LATENCY_STEPS_MS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const

export const ENDPOINTS_MAX = 100
/** Pending deliveries of an endpoint are counted up to this number, because one query counts them for all endpoints. */
export const WAITING_COUNT_MAX = 1000
export const ENDPOINT_URL_MAX = 2048
export const ENDPOINT_HEADERS_MAX = 20
export const ENDPOINT_RATE_MAX = 1000

/** A request to an endpoint without a response after this time has failed. */
export const ATTEMPT_TIMEOUT_MS = 15_000
/** Maximum bytes of a response body that are read and stored. */
export const RESPONSE_BYTES_MAX = 16 * 1024
/** How long the previous secret also signs after a rotation. */
export const ROTATION_GRACE_HOURS = 24
export const PORTAL_LINK_HOURS = 1
export const PORTAL_SESSION_HOURS = 8
