// Rate limits of requests without an API key: by user and organization in the dashboard and the portal, by client
// address on public routes and without a session. Each process counts separately.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { RATE_WINDOW_SECONDS } from '../../contract/limits.ts'
import { AppError } from '../base/errors.ts'
import type { SessionRates } from '../config/rate-config.ts'
import type { RateWindow } from './admission.ts'
import { networkOf } from './client-network.ts'
import { RateWindows } from './rate-windows.ts'

type Counted = keyof SessionRates

const SETTINGS: Readonly<Record<Counted, { who: string; setting: string }>> = {
  user: { who: 'you', setting: 'USER_RATE_LIMIT_PER_MINUTE' },
  organization: { who: 'your organization', setting: 'ORGANIZATION_RATE_LIMIT_PER_MINUTE' },
  address: { who: 'your address', setting: 'ADDRESS_RATE_LIMIT_PER_MINUTE' },
}
const WINDOWS_MAX = 100_000

export function sendWindow(reply: FastifyReply, { limit, remaining, resetAt }: RateWindow): void {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', resetAt)
}

function tooMany(counted: Counted, { limit, retryAfter }: RateWindow): AppError {
  const { who, setting } = SETTINGS[counted]
  const message = `Too many requests from ${who}: try again in ${retryAfter} s. The limit is ${limit} a minute; the operator can raise ${setting}`
  return new AppError('rate_limit_exceeded', message, { retryAfter, bound: setting })
}

export class RateLimits {
  readonly #rates: SessionRates
  readonly #clock: { now(): Date }
  // Separate, so that a flood of addresses cannot displace the window of a user.
  readonly #windows: Readonly<Record<Counted, RateWindows>>

  constructor(rates: SessionRates, clock: { now(): Date }) {
    const windows = () => new RateWindows(RATE_WINDOW_SECONDS * 1000, WINDOWS_MAX)
    this.#rates = rates
    this.#clock = clock
    this.#windows = { user: windows(), organization: windows(), address: windows() }
  }

  /** Counts one request. @throws 429 rate_limit_exceeded */
  count(reply: FastifyReply, counted: Counted, id: string): void {
    const who = counted === 'address' ? networkOf(id) : id
    const window = this.#windows[counted].count(who, this.#rates[counted], this.#clock.now().getTime())
    const shown = Number(reply.getHeader('x-ratelimit-remaining') ?? Number.POSITIVE_INFINITY)
    if (window.remaining < shown || window.exceeded) sendWindow(reply, window)
    if (window.exceeded) throw tooMany(counted, window)
  }
}

/** Routes that count by their key or after their session was looked up, or that the operator's programs request. */
const COUNTED_ELSEWHERE =
  /^\/(?:(?:api\/v1|dashboard\/api|portal\/api)(?:[/?]|$)|(?:healthz|readyz|metrics)\/?(?:\?|$))/

/** Requests to the API are counted before routing, also those to unknown paths. */
const API = /^\/api\/v1(?:[/?]|$)/

/** An onRequest hook for all routes: requests to public routes count by address. */
export const limitPublicRoutes =
  (limits: RateLimits): onRequestHookHandler =>
  (request, reply, done) => {
    const isUnknown = request.is404 && !API.test(request.url)
    if (isUnknown || !COUNTED_ELSEWHERE.test(request.url)) limits.count(reply, 'address', request.ip)
    done()
  }

/** An onRequest hook for routes without a session, which counts before the body is read. */
export const limitAddress =
  (limits: RateLimits) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    limits.count(reply, 'address', request.ip)
