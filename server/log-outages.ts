// Errors that go on until something outside of the process is back, as when the database is away: every request, engine
// and connection meets them again and again. Of equal lines the first is written, the others are counted until it is over.
import type { Logger, LoggerOptions } from 'pino'
import { errorCode } from './db/error-code.ts'
import { isDatabaseUnavailable, MOVING } from './db/unavailable.ts'
import { AppError } from './errors.ts'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>
type Arguments = Parameters<LogMethod>[0]

/** Over when it has not been met for so long. */
const QUIET_MS = 15_000
/** Further kinds are logged one by one: memory must not grow with what messages say. */
const KINDS_MAX = 100

interface Outage {
  since: number
  last: number
  times: number
  timer: NodeJS.Timeout
}

const MOVE_LINE = 'work of an organization waits: it is being moved to another cell'

const isOutage = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof AppError && error.code === 'unavailable')

/** A stack says nothing about what is outside of the process. */
function reasonOf(error: unknown): string {
  const code = error instanceof AppError ? undefined : errorCode(error)
  const message = error instanceof Error ? error.message || error.name : String(error)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

/** Lines about different cells, jobs or messages are different. */
const keyOf = (line: string, fields: object): string =>
  [line, ...Object.entries(fields).map(([name, value]) => `${name} ${value}`)].join('\n')

/**
 * Keeps count of outages for one logger and its children; at the level debug all lines are logged.
 * @param root the logger itself, whose lines name no request
 */
export function collapseOutages(root: () => Logger): LogMethod {
  const outages = new Map<string, Outage>()
  const end = (key: string, message: string, fields: object) => {
    const { times = 1, since = 0, last = 0 } = outages.get(key) ?? {}
    outages.delete(key)
    // What happened once has no end that is worth a line.
    if (times > 1)
      root().info({ ...fields, times, seconds: Math.ceil((last - since) / 1000) }, `over: ${message}`)
  }
  /** @returns whether it is the first of its kind */
  const note = (message: string, fields: object): boolean => {
    const key = keyOf(message, fields)
    const known = outages.get(key)
    if (known === undefined && outages.size >= KINDS_MAX) return true
    const outage = known ?? {
      ...{ since: Date.now(), last: 0, times: 0 },
      timer: setTimeout(() => end(key, message, fields), QUIET_MS).unref(),
    }
    outage.times++
    outage.last = Date.now()
    outage.timer.refresh()
    outages.set(key, outage)
    return known === undefined
  }
  return function logMethod(this: Logger, args: Arguments, method) {
    const [given, message] = args as unknown as [unknown, unknown]
    const fields: { err?: unknown } = typeof given === 'object' && given !== null ? given : {}
    if (typeof message !== 'string' || !isOutage(fields.err) || this.isLevelEnabled('debug'))
      return method.apply(this, args)
    const { err, ...rest } = fields
    const isMove = errorCode(err) === MOVING
    const line = isMove ? MOVE_LINE : message
    if (!note(line, isMove ? {} : rest)) return undefined
    const shown = { ...rest, reason: reasonOf(err) }
    return isMove ? this.info(shown, line) : method.apply(this, [shown, line] as unknown as Arguments)
  }
}
