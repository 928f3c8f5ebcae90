// What the service refuses, as the pages see it.
import type { ErrorCode, Problem } from '../../contract/errors.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'offline' | 'unknown'
  readonly details: Record<string, unknown>
  readonly requestId: string | undefined

  constructor(
    status: number,
    body: Partial<{ error: string; message: string; details: object; requestId: string }>,
  ) {
    super(body.message ?? `The service answered ${status}`)
    this.status = status
    this.code = (body.error as ErrorCode | undefined) ?? 'unknown'
    this.details = (body.details as Record<string, unknown> | undefined) ?? {}
    this.requestId = body.requestId
  }

  /** Everything wrong with the request, by the path in its body. */
  get problems(): readonly Problem[] {
    const { errors } = this.details
    return Array.isArray(errors) ? (errors as Problem[]) : []
  }
}

export const offline = () =>
  new ApiError(0, {
    error: 'offline',
    message: 'The service cannot be reached: check your connection and try again',
  })

export const hasCode = (error: unknown, code: ApiError['code']): error is ApiError =>
  error instanceof ApiError && error.code === code

/** A sentence for people; of a defect the request id too, so that it can be asked about. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.problems.length > 0) return error.problems.map(({ message }) => capitalized(message)).join('. ')
  const reference = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  return `${error.message}${reference}`
}

/** What the service says of one thing in particular begins in lower case: alone, it is a sentence. */
export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The first problem of each field, for a form; `prefix` is where the form's fields are in the body. */
export function fieldErrors(error: unknown, prefix = ''): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const own = error.problems.filter(({ path }) => path.startsWith(prefix)).toReversed()
  return Object.fromEntries(own.map(({ path, message }) => [path.slice(prefix.length), capitalized(message)]))
}
