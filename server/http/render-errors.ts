// Every error leaves through here, in the one documented shape.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '../db/pool.ts'
import { AppError, invalidField, notFound, unavailable } from '../errors.ts'

// Connection failures, server shutting down or starting, too many connections, disk full.
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '25P03',
  '08000',
  '08003',
  '08006',
])
// A deadlock or conflict that every try ran into again.
const CONTENDED = new Set(['40P01', '40001'])
// Cancelled by statement_timeout.
const CANCELLED = '57014'
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

export const isDatabaseAway = (error: unknown): boolean =>
  AWAY.has(errorCode(error) ?? '') || (error instanceof Error && AWAY_MESSAGE.test(error.message))

const FRAMEWORK: Record<string, (error: FastifyError) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('payload_too_large', 'The body is larger than this route takes'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError(
      'unsupported_media_type',
      'Send the body as application/json with Content-Type: application/json',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalidField('', 'content_length', 'The body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: () => notFound('address: it is not a valid URL'),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound('address'),
  FST_ERR_ASYNC_CONSTRAINT: () => notFound('address'),
}

/** The error as the client shall see it; anything unknown is a defect and says nothing of itself. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const framework = FRAMEWORK[errorCode(error) ?? '']
  if (framework) return framework(error as FastifyError)
  if (isDatabaseAway(error)) return unavailable()
  if (CONTENDED.has(errorCode(error) ?? ''))
    return unavailable('Too many requests change the same data at once: try again shortly')
  if (errorCode(error) === CANCELLED)
    return unavailable(
      'The request took longer than the database may spend on one: ask for less, or try again later',
    )
  return new AppError(
    'internal_error',
    'Something went wrong on our side: quote the requestId when you ask about it',
  )
}

/** Of every answer of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8'

const RETRY_AFTER_SECONDS = '2'

/** The documented body of an error, ready to send. */
export const errorBody = (error: AppError, requestId: string) => ({
  error: error.code,
  message: error.message,
  ...(error.details && { details: error.details }),
  requestId,
})

export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown)
  if (error.status >= 500) request.log.error({ err: thrown, requestId: request.id }, 'request failed')
  if (error.code === 'unauthorized' || error.code === 'expired') reply.header('www-authenticate', 'Bearer')
  const retryAfter = error.details?.['retryAfter']
  if (error.status === 429 && retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (error.code === 'unavailable') reply.header('retry-after', RETRY_AFTER_SECONDS)
  reply
    .code(error.status)
    // Errors of the framework come before the hook that sets it.
    .header('x-request-id', request.id)
    .type(JSON_TYPE)
    .send(JSON.stringify(errorBody(error, request.id)))
}
