// The only client for requests to addresses that users enter.
import type { Agent } from 'undici'
import { type ConnectRules, findBlocked } from './egress/connect.ts'
import { type EgressOutcome, type EgressRequest, Exchange } from './egress/exchange.ts'
import { type Lookup, openLookup, sharedLookup } from './egress/lookup.ts'
import { hostOf, isLiteralAddress, readTarget } from './egress/target.ts'

export interface Egress {
  /** Never rejects because of the receiver. */
  send(request: EgressRequest): Promise<EgressOutcome>
  /** Checks whether requests to `url` are allowed, as far as known now. @returns undefined, or a sentence why not */
  check(url: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface EgressOptions {
  /** Allows http, and addresses that are not on the public internet: for development. */
  allowPrivate: boolean
  /** Finds all addresses of a name; default: by DNS and the system. */
  lookup?: Lookup
  connectTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5000
const CHECK_TIMEOUT_MS = 3000

const notSent = (message: string): EgressOutcome => ({
  ip: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
  response: null,
  failure: 'blocked_address',
  message,
})

/** Aborts all requests of a signal with one listener: removing one listener per request is slow. */
function createAborts() {
  const groups = new WeakMap<AbortSignal, Set<Exchange>>()
  const groupOf = (signal: AbortSignal) => {
    const known = groups.get(signal)
    if (known) return known
    const group = new Set<Exchange>()
    groups.set(signal, group)
    signal.addEventListener('abort', () => {
      for (const exchange of group) exchange.fail(signal.reason)
    })
    return group
  }
  return {
    async during<Result>(signal: AbortSignal, exchange: Exchange, work: Promise<Result>): Promise<Result> {
      const group = groupOf(signal)
      group.add(exchange)
      return work.finally(() => group.delete(exchange))
    },
  }
}

/** @returns why the name is blocked as it resolves now; undefined also if it does not resolve, since it may later */
async function checkName(host: string, lookup: Lookup): Promise<string | undefined> {
  if (isLiteralAddress(host)) return findBlocked(host, [{ address: host, family: 0 }])?.message
  const { promise: tooLate, resolve } = Promise.withResolvers<[]>()
  const timer = setTimeout(resolve, CHECK_TIMEOUT_MS, [])
  const addresses = await Promise.race([lookup(host).catch(() => []), tooLate])
  clearTimeout(timer)
  return findBlocked(host, addresses)?.message
}

/** Loads undici for the first request: it is large, and most commands do not need it. */
async function openAgent(rules: ConnectRules): Promise<Agent> {
  const { createAgent } = await import('./egress/client.ts')
  return createAgent(rules)
}

/** Makes the client for addresses that users enter, once per process. */
export function createEgress({
  allowPrivate,
  lookup: ownLookup = openLookup(),
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: EgressOptions): Egress {
  const lookup = sharedLookup(ownLookup)
  const rules = { allowPrivate, lookup, connectTimeoutMs }
  let opening: Promise<Agent> | undefined
  const aborts = createAborts()
  return {
    async send(request) {
      const { signal } = request
      const url = readTarget(request.url, rules)
      if (typeof url === 'string') return notSent(url)
      opening ??= openAgent(rules)
      const agent = await opening
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<EgressOutcome>()
      const exchange = new Exchange(request, url, agent, { resolve, reject })
      exchange.start()
      return signal ? aborts.during(signal, exchange, promise) : promise
    },
    async check(text) {
      const url = readTarget(text, rules)
      if (typeof url === 'string') return url
      return allowPrivate ? undefined : checkName(hostOf(url), lookup)
    },
    close: async () => (await opening)?.close(),
  }
}
