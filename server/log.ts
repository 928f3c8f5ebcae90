// The log of the process.
import pino, { type Logger } from 'pino'
import type { Config } from './config.ts'
import { collapseOutages } from './log-outages.ts'
import { plainError } from './plain-error.ts'

/**
 * Log lines as JSON on stderr, so that stdout stays for what a person or program asked.
 * @param name of this process in every line, where the service has several
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
