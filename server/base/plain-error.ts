// The form of an error in the log: complete, but without values that users entered.
const DEPTH_MAX = 4

/** Fields that may be shown with the message. Not `detail` and `parameters` of PostgreSQL: they contain values. */
const SHOWN = ['code', 'schema', 'table', 'column', 'constraint', 'queue', 'worker', 'stack'] as const

type Shown = Partial<Record<(typeof SHOWN)[number], string | number>>

export interface PlainError extends Shown {
  type: string
  message: string
  cause?: PlainError
  /** The inner errors of an AggregateError. */
  errors?: PlainError[]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function shownOf(error: Record<string, unknown>): Shown {
  const present = SHOWN.map((key) => [key, error[key]] as const)
  return Object.fromEntries(
    present.filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  )
}

const messageOf = ({ message, ...rest }: Record<string, unknown>): string =>
  typeof message === 'string' ? message : `an object with ${Object.keys(rest).join(', ') || 'nothing'}`

/** Converts an Error, an object with the fields of an Error (as pg-boss returns), or any other thrown value. */
export function plainError(error: unknown, depth = 1): PlainError {
  if (!isObject(error)) return { type: typeof error, message: String(error) }
  const inner = (one: unknown) => plainError(one, depth + 1)
  const goesOn = depth < DEPTH_MAX
  return {
    type: typeof error['name'] === 'string' ? error['name'] : 'object',
    // The message of an Error is not enumerable.
    message: messageOf(error instanceof Error ? { message: error.message } : error),
    ...shownOf(error),
    ...(goesOn && error['cause'] !== undefined && { cause: inner(error['cause']) }),
    ...(goesOn && Array.isArray(error['errors']) && { errors: error['errors'].slice(0, 10).map(inner) }),
  }
}
