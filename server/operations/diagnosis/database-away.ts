// A database that cannot be asked: what is wrong, and the next step, by the error of the connection.
import type pg from 'pg'
import { errorCode } from '../../base/error-code.ts'
import { connectionAddress, faultOf } from '../../db/explain.ts'
import type { Finding } from './finding.ts'

export interface DatabaseAddress {
  connection: pg.ClientConfig
  /** The variable that names it. */
  setting: string
  /** What operators know it as, where that is not the place. */
  name?: string
}

/** @param address of the database that threw */
export function judgeAway(thrown: unknown, { connection, setting, name }: DatabaseAddress): Finding {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const said = error.message || errorCode(error) || error.name
  const where = name ?? `the database at ${connectionAddress(connection)}`
  const fault = faultOf(error, connection, setting)
  return {
    ...{ check: 'database', status: 'fail' },
    detail: fault
      ? `${where} cannot be used: ${fault.cause.includes(said) ? fault.cause : `${fault.cause} (${said})`}`
      : `${where} cannot be examined: ${said}`,
    advice: fault?.step ?? `see its log and that of the service, and check ${setting}`,
  }
}
