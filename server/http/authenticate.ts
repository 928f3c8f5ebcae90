// Key, then rate, then scope: the first three checks of every API request (decisions, section 4).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, insufficientScope, keyExpired, rateLimited, unauthorized } from '../errors.ts'
import type { Admission, Admitted, RateWindow } from './admission.ts'

const REFUSALS: Record<'missing' | 'unknown' | 'expired', () => AppError> = {
  missing: () => unauthorized('Send your API key in the header Authorization: Bearer <key>'),
  unknown: () => unauthorized('This API key is not valid: it may be mistyped or deleted'),
  expired: keyExpired,
}

/** What follows `Bearer` in the header Authorization. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 200) return undefined
  return header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : undefined
}

function sendWindow(reply: FastifyReply, { limit, remaining, resetAt }: RateWindow): void {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', resetAt)
}

function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, refused, window }: Admitted,
): AppError | undefined {
  sendWindow(reply, window)
  if (window.exceeded) reply.header('retry-after', window.retryAfter)
  // 401 comes before 429, over the rate too: its headers tell that the address is being counted.
  if (!key) return REFUSALS[refused ?? 'missing']()
  if (window.exceeded) return rateLimited(window.retryAfter)
  request.caller = key
  const scope = request.routeOptions.config.scope
  if (scope && key.scopes && !key.scopes.has(scope)) return insufficientScope(scope)
  return undefined
}

type Done = (error?: Error) => void

/** An onRequest hook; answers without waiting when the key is cached. */
export const authenticate =
  (admission: Admission) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const finish = (admitted: Admitted) => done(enter(request, reply, admitted))
    const admitted = admission.admit(bearerToken(request.headers.authorization), request.ip)
    if (admitted instanceof Promise) admitted.then(finish, done)
    else finish(admitted)
  }
