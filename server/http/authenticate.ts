// Key, then rate, then scope: the first three checks of every API request (decisions, section 4).
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

/** What follows `Bearer` in the header Authorization. */
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
  // Without a valid key the address is what is counted.
  if (window.exceeded) return exceeded(admitted)
  if (!key) return REFUSALS[refused ?? 'missing']()
  enterAs(request, key, key.cell)
  // What belongs to all members is changed by admins, who create keys; the scopes say which of it.
  request.role = 'admin'
  const { scope, orScope } = request.routeOptions.config
  const opens = (one: Scope | undefined) => one !== undefined && key.scopes?.has(one)
  if (scope && scope !== 'any' && key.scopes && !opens(scope) && !opens(orScope))
    return insufficientScope(scope)
  joinChangeSet(request)
  return undefined
}

/** An onRequest hook for what needs no key: it counts like a request with the key that it carries, or without one. */
export const countKeyUse =
  (admission: Admission) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const admitted = await admission.admit(bearerToken(request.headers.authorization), request.ip)
    sendWindow(reply, admitted.window)
    if (admitted.window.exceeded) throw exceeded(admitted)
  }

type Done = (error?: Error) => void

/** An onRequest hook; answers without waiting when the key is cached. */
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

/** An onRoute hook: a route of the API without a scope must not boot. */
export function requireScopes({ config, method, url }: RouteOptions): void {
  if (!config?.scope && !config?.refused) throw new Error(`${method} ${url} names no scope`)
}
