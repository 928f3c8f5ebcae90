// Sends all errors, in the one documented format.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/errors.ts'
import {
  AppError,
  databaseFull,
  invalid,
  invalidField,
  notFound,
  superseded,
  unavailable,
} from '../base/errors.ts'
import { errorCode } from '../db/pool.ts'
import { isDatabaseUnavailable, isDiskFull, isSuperseded, unavailableReason } from '../db/unavailable.ts'

// A deadlock or conflict in the last try too.
const CONTENDED = new Set(['40P01', '40001'])
// Cancelled by statement_timeout.
const CANCELLED = '57014'

const FRAMEWORK: Record<string, (error: FastifyError) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('payload_too_large', 'The body is larger than this route accepts: send less in one request'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError(
      'unsupported_media_type',
      'Send the body as application/json with Content-Type: application/json',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalidField(
      '',
      'content_length',
      'The length of the body does not match Content-Length: send as many bytes as it says',
    ),
  FST_ERR_BAD_URL: () => notFound('address', 'it is not a valid URL, so check how it is encoded'),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound('address', 'check it for typing errors'),
  // An error of @fastify/static for a path that is not normalized, such as one with two slashes.
  FST_STATIC_FORBIDDEN_PATH: () => notFound('address', 'check it for typing errors'),
  FST_ERR_ASYNC_CONSTRAINT: () => notFound('address', 'check it for typing errors'),
}

/** The error for the client. An unknown error is a defect, and its details are not shown. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const framework = FRAMEWORK[errorCode(error) ?? '']
  if (framework) return framework(error as FastifyError)
  if (isDiskFull(error)) return databaseFull()
  if (isSuperseded(error)) return superseded()
  if (isDatabaseUnavailable(error)) return unavailable(unavailableReason(error))
  if (CONTENDED.has(errorCode(error) ?? ''))
    return unavailable('Too many requests are changing the same data: try again shortly')
  if (errorCode(error) === CANCELLED)
    return unavailable('The request took longer than the database allows: request less, or try again later')
  return new AppError(
    'internal_error',
    'Something went wrong on our side: include the requestId when you report it',
  )
}

/** The content type of all API responses. */
export const JSON_TYPE = 'application/json; charset=utf-8'

const RETRY_AFTER_SECONDS = 2

/** The documented body of an error, ready to send. */
export const errorBody = (error: AppError, requestId: string) => ({
  error: error.code,
  message: error.message,
  ...(error.details && { details: error.details }),
  requestId,
})

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

const fieldOf = (path: string) => path.split(/[.[]/, 1)[0] ?? ''

/** Code that lists and searches share reports an invalid parameter: in a body it is an invalid field. */
function withPlace(error: AppError, { routeOptions, query }: FastifyRequest): AppError {
  const fields = (routeOptions.schema?.body as { properties?: Readonly<Record<string, unknown>> } | undefined)
    ?.properties
  if (error.code !== 'invalid_parameter' || !fields) return error
  const problems = (error.details?.['errors'] ?? []) as Problem[]
  const asked = new Set(Object.keys(query as object).map(fieldOf))
  const isOfBody = ({ path }: Problem) => Object.hasOwn(fields, fieldOf(path)) && !asked.has(fieldOf(path))
  return problems.every(isOfBody) ? invalid('validation_error', problems) : error
}

interface Asked {
  method: string
  scope?: Pick<NonNullable<FastifyRequest['scope']>, 'mayHaveCommitted'> | undefined
}

/** Adds whether the changes of a failed request may have been committed. */
export function withOutcome(error: AppError, { method, scope }: Asked): AppError {
  if (error.code !== 'unavailable' || READS.has(method) || !scope) return error
  const committed = scope.mayHaveCommitted ? 'unknown' : 'no'
  return new AppError(error.code, error.message, { ...error.details, committed })
}

/** The error for a request whose time is over. */
export const tookTooLong = () =>
  unavailable(
    'The request took too long (REQUEST_DEADLINE_SECONDS) and was cancelled: request less, or try again later',
  )

/** After the deadline the client gets the timeout, not the error of the cancelled statement. */
const whatHappened = (thrown: unknown, { scope }: FastifyRequest): AppError =>
  scope?.isCut ? tookTooLong() : toAppError(thrown)

/** Refusals on a full disk are not logged: the full disk is logged once, and the log may be on the same disk. */
const isKnown = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.details?.['reason'] === 'disk_full' && thrown.cause === undefined

/** Sends an error, and logs nothing. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === 'unauthorized' || error.code === 'expired') reply.header('www-authenticate', 'Bearer')
  const retryAfter =
    error.details?.['retryAfter'] ?? (error.code === 'unavailable' ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return (
    reply
      .code(error.status)
      // Errors of Fastify may come before the hook that sets this header.
      .header('x-request-id', request.id)
      .type(JSON_TYPE)
      .send(JSON.stringify(errorBody(error, request.id)))
  )
}

export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = withPlace(withOutcome(whatHappened(thrown, request), request), request)
  // The logger of the request adds the request id.
  if (error.status >= 500 && !isKnown(thrown)) request.log.error({ err: thrown }, 'request failed')
  sendError(error, request, reply)
}
