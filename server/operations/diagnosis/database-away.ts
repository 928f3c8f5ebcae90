// A database that cannot be reached: the fault and the next step, from the error of the connection.
import type pg from 'pg'
import { errorCode } from '../../base/error-code.ts'
import { connectionAddress, faultOf } from '../../db/explain.ts'
import type { Finding } from './finding.ts'

export interface DatabaseAddress {
  connection: pg.ClientConfig
  /** The variable with its address. */
  setting: string
  /** The name that operators use, if it is not the address. */
  name?: string
}

/** @param address of the database that threw the error */
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
