// Errors of the service, with texts for pages.
import type { ErrorCode, Problem } from '../../../contract/errors.ts'
import { problemWords } from './problem-words.ts'
import { answeredWith, refusalWords } from './refusal-words.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'offline' | 'unreachable' | 'unknown'
  readonly details: Record<string, unknown>
  readonly requestId: string | undefined

  constructor(
    status: number,
    body: Partial<{ error: string; message: string; details: object; requestId: string }>,
  ) {
    super(body.message ?? answeredWith(status))
    this.status = status
    this.code = (body.error as ErrorCode | undefined) ?? 'unknown'
    this.details = (body.details as Record<string, unknown> | undefined) ?? {}
    this.requestId = body.requestId
  }

  /** Seconds until the request may be repeated. undefined if the service does not say. */
  get retryAfterSeconds(): number | undefined {
    const { retryAfter } = this.details
    return typeof retryAfter === 'number' ? retryAfter : undefined
  }

  /** All problems of the request, each with its path in the body. */
  get problems(): readonly Problem[] {
    const { errors } = this.details
    return Array.isArray(errors) ? (errors as Problem[]) : []
  }
}

/** The error of a request without a response: the browser is offline, or the server cannot be reached. */
export const unanswered = () =>
  navigator.onLine === false
    ? new ApiError(0, { error: 'offline', message: 'You are offline. Check your connection and try again' })
    : new ApiError(0, {
        error: 'unreachable',
        message: 'The server cannot be reached. It may be restarting, or the network may be down',
      })

/** Whether the error is about single parts of the request. */
export const hasProblems = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.problems.length > 0

/** Transient errors are retried, refusals are not. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 503 || error.code === 'rate_limit_exceeded')

export const hasCode = (error: unknown, code: ApiError['code']): error is ApiError =>
  error instanceof ApiError && error.code === code

/** Replaces the message of the API, whose advice is for programs. */
const TOO_EXPENSIVE =
  'This takes too long for so many records. Search for a longer or rarer word, or add a filter that leaves fewer of them'

/** A sentence for people. For an internal error, it has the request id, so that the user can report it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'query_too_expensive') return TOO_EXPENSIVE
  if (error.problems.length > 0) return error.problems.map(problemWords).join('. ')
  const reference = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  return `${refusalWords(error)}${reference}`
}

/** Messages of the service begin in lower case. A message shown as a sentence begins with a capital. */
export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The first problem of each field of a form. `prefix` is the path of the form's fields in the body. */
export function fieldErrors(error: unknown, prefix = ''): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const own = error.problems.filter(({ path }) => path.startsWith(prefix)).toReversed()
  return Object.fromEntries(own.map((problem) => [problem.path.slice(prefix.length), problemWords(problem)]))
}
