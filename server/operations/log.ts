// The log of the process.
import pino, { type Logger, type LoggerOptions } from 'pino'
import { errorCode } from '../base/error-code.ts'
import { AppError } from '../base/errors.ts'
import { plainError } from '../base/plain-error.ts'
import type { Config } from '../config/config.ts'
import { isDatabaseUnavailable, MOVING } from '../db/unavailable.ts'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>
type Arguments = Parameters<LogMethod>[0]

/** An outage is over when none of its errors was logged for this time. */
const QUIET_MS = 15_000
/** Further kinds are not collapsed: memory must not grow with the content of messages. */
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

/** Without the stack, which does not help with faults outside of the process. */
function reasonOf(error: unknown): string {
  const code = error instanceof AppError ? undefined : errorCode(error)
  const message = error instanceof Error ? error.message || error.name : String(error)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

/** Lines about different cells, jobs or messages have different keys. */
const keyOf = (line: string, fields: object): string =>
  [line, ...Object.entries(fields).map(([name, value]) => `${name} ${value}`)].join('\n')

/**
 * Collapses equal lines about an outage, such as an outage of the database: logs the first line and counts the others
 * until it is over, because every request, engine and connection fails with the same error. The level debug logs all.
 * @param root the logger itself, whose lines name no request
 */
export function collapseOutages(root: () => Logger): LogMethod {
  const outages = new Map<string, Outage>()
  const end = (key: string, message: string, fields: object) => {
    const { times = 1, since = 0, last = 0 } = outages.get(key) ?? {}
    outages.delete(key)
    // The end of a single error is not worth a line.
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

/**
 * Log lines as JSON on stderr. stdout is only for requested output.
 * @param name of this process in every line, if the service has several
 */
export const createLog = ({ logLevel }: Pick<Config, 'logLevel'>, name?: string): Logger => {
  const log: Logger = pino(
    {
      level: logLevel,
      base: name === undefined ? null : { process: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { logMethod: collapseOutages(() => log) },
      serializers: { err: (error: unknown) => plainError(error) },
    },
    pino.destination(2),
  )
  return log
}

/** Each error that a library writes to the console becomes a line of the log. */
export function logConsoleErrors(log: Logger): void {
  console.error = (...parts: unknown[]) => {
    const err = parts.find((one) => one instanceof Error)
    log.error(err ? { err } : { details: parts.map(String) }, 'a library reports an error')
  }
}
