// All errors that clients can receive. Only http/render-errors.ts renders them.
import { ERROR_STATUS, type ErrorCode, type Problem } from '../../contract/errors.ts'
import type { Role } from '../../contract/roles.ts'
import type { Scope } from '../../contract/scopes.ts'
import { sizeText } from './size-text.ts'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

const summary = (problems: readonly Problem[]) =>
  problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')

type ProblemCode = 'validation_error' | 'invalid_parameter' | 'invalid_filter'

/** A 400 with all problems of the request in `details.errors`. */
export const invalid = (code: ProblemCode, errors: readonly Problem[]) =>
  new AppError(code, summary(errors.slice(0, 3)), { errors })

export const invalidField = (path: string, code: string, message: string) =>
  invalid('validation_error', [{ path, code, message }])

/** @param instead what to do instead, if the missing thing has no id */
export const notFound = (what: string, instead = 'check the id, it may have been deleted') =>
  new AppError('not_found', `No such ${what}: ${instead}`)

/** The organization does not exist, or the user is no member. Only this not_found has an organization in `details`. */
export const noMembership = (organization: string) =>
  new AppError('not_found', 'No such organization: check its slug, and whether you are a member', {
    organization,
  })

export const nameTaken = (kind: string, name: string) =>
  new AppError('name_taken', `Another ${kind} has the name "${name}": choose another name`)

export const unauthorized = (message: string) => new AppError('unauthorized', message)

export const keyExpired = () => new AppError('expired', 'This API key has expired: create a new one')

export const insufficientScope = (requiredScope: Scope) =>
  new AppError('insufficient_scope', `This API key lacks the scope ${requiredScope}: use a key that has it`, {
    requiredScope,
  })

export const insufficientRole = (requiredRole: Role) =>
  new AppError(
    'insufficient_role',
    requiredRole === 'owner'
      ? 'Only owners of the organization can do this: ask one of them'
      : 'Only owners and admins of the organization can do this: ask one of them',
    { requiredRole },
  )

export const rateLimited = (seconds: number, message = `Too many requests: try again in ${seconds} s`) =>
  new AppError('rate_limit_exceeded', message, { retryAfter: seconds })

export const unavailable = (message = 'The database does not respond: try again shortly') =>
  new AppError('unavailable', message)

/** A full disk does not become free within seconds. */
const FULL_RETRY_SECONDS = 10

export const DATABASE_FULL =
  'The disk of the database is full, so nothing can be saved, while everything can be read: tell the operator, and try again later'

/** @param sizes free and needed bytes, if the disk can be measured */
export const databaseFull = (sizes?: { freeBytes: number; neededBytes: number }) =>
  new AppError('unavailable', DATABASE_FULL, {
    reason: 'disk_full',
    retryAfter: FULL_RETRY_SECONDS,
    ...sizes,
  })

/** Returned by a process that a newer version is about to replace. */
export const superseded = () =>
  new AppError(
    'unavailable',
    'The service is being upgraded, and this process refuses changes of records: send the request again in a few seconds',
    { reason: 'upgrade' },
  )

interface FullFiles {
  /** Only for the log. */
  folder: string
  freeBytes: number
  /** Undefined if unknown. */
  neededBytes: number | undefined
}

export function filesFull({ folder, freeBytes, neededBytes }: FullFiles): AppError {
  const needed = neededBytes === undefined ? '' : `, ${sizeText(neededBytes)} needed`
  const error = new AppError(
    'unavailable',
    `The disk for files is full (${sizeText(freeBytes)} free${needed}): tell the operator, and try again later`,
    { reason: 'disk_full', retryAfter: FULL_RETRY_SECONDS, freeBytes, neededBytes },
  )
  error.cause = new Error(`The disk of ${folder} is full`)
  return error
}

/** For `catch`: returns `instead` for a not_found error, and throws all others. */
export const ifNotFound =
  <Instead>(instead: Instead) =>
  (error: unknown): Instead => {
    if (error instanceof AppError && error.code === 'not_found') return instead
    throw error
  }

/** The result of `work`, or the refusal that it threw; for rows that can fail independently. */
export function attempt<Result>(work: () => Result): Result | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
