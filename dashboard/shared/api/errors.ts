// What the service refuses, as the pages see it.
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

  /** When the service asks for the request to be sent again; undefined where it does not say. */
  get retryAfterSeconds(): number | undefined {
    const { retryAfter } = this.details
    return typeof retryAfter === 'number' ? retryAfter : undefined
  }

  /** Everything wrong with the request, by the path in its body. */
  get problems(): readonly Problem[] {
    const { errors } = this.details
    return Array.isArray(errors) ? (errors as Problem[]) : []
  }
}

/** No answer came: because the browser has no network, or because the server is away. */
export const unanswered = () =>
  navigator.onLine === false
    ? new ApiError(0, { error: 'offline', message: 'You are offline. Check your connection and try again' })
    : new ApiError(0, {
        error: 'unreachable',
        message: 'The server cannot be reached. It may be restarting, or the network may be down',
      })

/** Whether it says what is wrong with single parts of the request. */
export const hasProblems = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.problems.length > 0

/** A refusal stays one; what was a matter of the moment is tried again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 503 || error.code === 'rate_limit_exceeded')

export const hasCode = (error: unknown, code: ApiError['code']): error is ApiError =>
  error instanceof ApiError && error.code === code

/** What the API advises is for programs. */
const TOO_EXPENSIVE =
  'This takes too long for so many records. Search for a longer or rarer word, or add a filter that leaves fewer of them'

/** A sentence for people; of a defect the request id too, so that it can be asked about. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'query_too_expensive') return TOO_EXPENSIVE
  if (error.problems.length > 0) return error.problems.map(problemWords).join('. ')
  const reference = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  return `${refusalWords(error)}${reference}`
}

/** Problems of the service begin in lower case; one shown by itself is a sentence, which begins with a capital. */
export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The first problem of each field, for a form; `prefix` is where the form's fields are in the body. */
export function fieldErrors(error: unknown, prefix = ''): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const own = error.problems.filter(({ path }) => path.startsWith(prefix)).toReversed()
  return Object.fromEntries(own.map((problem) => [problem.path.slice(prefix.length), problemWords(problem)]))
}
