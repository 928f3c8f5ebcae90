// An error as the log shows it: whole, but without what users entered.
const DEPTH_MAX = 4

/** What may be shown in addition to the message; `detail` and `parameters` of PostgreSQL hold values. */
const SHOWN = ['code', 'schema', 'table', 'column', 'constraint', 'queue', 'worker', 'stack'] as const

type Shown = Partial<Record<(typeof SHOWN)[number], string | number>>

export interface PlainError extends Shown {
  type: string
  message: string
  cause?: PlainError
  /** Of several failures in one. */
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

/** Of an Error, of an object with the fields of one, as pg-boss returns it, or of any other thrown value. */
export function plainError(error: unknown, depth = 1): PlainError {
  if (!isObject(error)) return { type: typeof error, message: String(error) }
  const inner = (one: unknown) => plainError(one, depth + 1)
  const goesOn = depth < DEPTH_MAX
  return {
    type: typeof error['name'] === 'string' ? error['name'] : 'object',
    // An Error's own message is not among its enumerable keys.
    message: messageOf(error instanceof Error ? { message: error.message } : error),
    ...shownOf(error),
    ...(goesOn && error['cause'] !== undefined && { cause: inner(error['cause']) }),
    ...(goesOn && Array.isArray(error['errors']) && { errors: error['errors'].slice(0, 10).map(inner) }),
  }
}
