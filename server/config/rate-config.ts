// Limits for clients: rates of requests, API keys, bytes, connections and streams.
import { choice, type Env, integer } from './environment.ts'

/** Requests per minute. */
export interface SessionRates {
  user: number
  organization: number
  address: number
}

/** The operator's limits for API keys. */
export interface KeyBounds {
  /** The highest rate limit that a key may have, in requests per minute. */
  rate: number
  /** Requests per minute of all keys of an organization together. */
  organizationRate: number
  /** The number of keys of an organization. */
  count: number
}

/** Limits in bytes. */
export interface ByteBounds {
  key: number
  organization: number
  process: number
}

/** Open connections. */
export interface ConnectionBounds {
  process: number
  /** For one client: an address, or the network of an IPv6 address. */
  client: number
}

/** Open streams of events. */
export interface StreamBounds {
  user: number
  organization: number
  /** For one address, or one network of IPv6 addresses. */
  client: number
  process: number
}

/** What clients may use at the same time. */
export interface ClientBounds {
  /** Bytes of request bodies in processing. */
  bodyBytes: ByteBounds
  /** Bytes of large answers that clients have not read yet. */
  responseBytes: ByteBounds
  connections: ConnectionBounds
  /** Streams of live updates. */
  liveStreams: StreamBounds
}

export interface RateConfig {
  rateLimitPerMinute: number
  /** Where rate windows are counted: `database` if several processes answer requests. */
  rateLimitStore: 'memory' | 'database'
  /** For requests that need no API key: in the dashboard, in the portal, on public routes. */
  sessionRates: SessionRates
  keyBounds: KeyBounds
}

const RATE_MAX = 1_000_000_000
const RATES: [number, number] = [1, RATE_MAX]

const KEY_RATE = 6000

const sessionRates = (env: Env): SessionRates => ({
  user: integer(env, 'USER_RATE_LIMIT_PER_MINUTE', 1200, RATES),
  organization: integer(env, 'ORGANIZATION_RATE_LIMIT_PER_MINUTE', 12_000, RATES),
  address: integer(env, 'ADDRESS_RATE_LIMIT_PER_MINUTE', 3000, RATES),
})

/** @param usual the rate of a key without its own rate */
function keyBounds(env: Env, usual: number): KeyBounds {
  const rate = integer(env, 'KEY_RATE_LIMIT_MAX', Math.max(KEY_RATE, usual), RATES)
  const ofAll = Math.min(2 * rate, RATE_MAX)
  return {
    rate,
    organizationRate: integer(env, 'KEYS_RATE_LIMIT_PER_ORGANIZATION', ofAll, RATES),
    count: integer(env, 'KEYS_PER_ORGANIZATION', 100, [1, 100_000]),
  }
}

/** @param isShared whether several processes answer requests, and so must count together */
export function rates(env: Env, isShared: boolean): RateConfig {
  const rateLimitPerMinute = integer(env, 'RATE_LIMIT_PER_MINUTE', 100, RATES)
  return {
    rateLimitPerMinute,
    rateLimitStore: choice(env, 'RATE_LIMIT_STORE', ['memory', 'database'], isShared ? 'database' : 'memory'),
    sessionRates: sessionRates(env),
    keyBounds: keyBounds(env, rateLimitPerMinute),
  }
}
