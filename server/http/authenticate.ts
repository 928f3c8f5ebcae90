// The first three checks of every API request: key, rate limit, scope (decisions, section 4).
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Scope } from '../../contract/scopes.ts'
import {
  AppError,
  attempt,
  insufficientScope,
  keyExpired,
  rateLimited,
  unauthorized,
} from '../base/errors.ts'
import type { Admission, Admitted } from './admission.ts'
import { enterAs } from './begin.ts'
import { joinChangeSet } from './change-set.ts'
import { sendWindow } from './rate-limits.ts'

const REFUSALS: Record<'missing' | 'unknown' | 'expired', () => AppError> = {
  missing: () => unauthorized('Send your API key in the header Authorization: Bearer <key>'),
  unknown: () => unauthorized('This API key is not valid: check it for typing errors, or create a new one'),
  expired: keyExpired,
}

/** The token after `Bearer` in the header Authorization. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 200) return undefined
  return header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : undefined
}

function exceeded({ window: { limit, retryAfter }, exceededBy }: Admitted): AppError {
  if (exceededBy === undefined) return rateLimited(retryAfter)
  const bound = 'KEYS_RATE_LIMIT_PER_ORGANIZATION'
  const message = `Too many requests with the API keys of your organization: try again in ${retryAfter} s. The limit is ${limit} a minute for all of them together; the operator can raise ${bound}`
  return new AppError('rate_limit_exceeded', message, { retryAfter, bound })
}

function enter(request: FastifyRequest, reply: FastifyReply, admitted: Admitted): AppError | undefined {
  const { key, refused, window } = admitted
  sendWindow(reply, window)
  // Without a valid key this is the window of the address.
  if (window.exceeded) return exceeded(admitted)
  if (!key) return REFUSALS[refused ?? 'missing']()
  enterAs(request, key, key.cell)
  // Keys act with the role of the admins who create them; their scopes limit this.
  request.role = 'admin'
  const { scope, orScope } = request.routeOptions.config
  const opens = (one: Scope | undefined) => one !== undefined && key.scopes?.has(one)
  if (scope && scope !== 'any' && key.scopes && !opens(scope) && !opens(orScope))
    return insufficientScope(scope)
  joinChangeSet(request)
  return undefined
}

/** An onRequest hook for routes that need no key: the request counts for its key, or for its address without one. */
export const countKeyUse =
  (admission: Admission) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const admitted = await admission.admit(bearerToken(request.headers.authorization), request.ip)
    sendWindow(reply, admitted.window)
    if (admitted.window.exceeded) throw exceeded(admitted)
  }

type Done = (error?: Error) => void

/** An onRequest hook; it is synchronous if the key is cached. */
export const authenticate =
  (admission: Admission) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const finish = (admitted: Admitted) => {
      const refusal = attempt(() => enter(request, reply, admitted))
      done(refusal)
    }
    const admitted = admission.admit(bearerToken(request.headers.authorization), request.ip)
    if (admitted instanceof Promise) admitted.then(finish, done)
    else finish(admitted)
  }

/** An onRoute hook that fails the start if a route of the API has no scope. */
export function requireScopes({ config, method, url }: RouteOptions): void {
  if (!config?.scope && !config?.refused) throw new Error(`${method} ${url} names no scope`)
}
