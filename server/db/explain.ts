// Describes for operators where a database is and why it cannot be used.
import pg from 'pg'
import { type ConnectionFault, type ConnectionTarget, findCause } from './causes.ts'

const FILES = ['sslcert', 'sslkey', 'sslrootcert']

/** Without the files of the address: pg reads them when a client is created. */
function withoutFiles(connection: pg.ClientConfig): pg.ClientConfig {
  if (connection.connectionString === undefined) return connection
  const url = new URL(connection.connectionString)
  for (const name of FILES) url.searchParams.delete(name)
  return { ...connection, connectionString: url.href }
}

/** Reads the address without connecting to it. */
function targetOf(connection: pg.ClientConfig, setting: string): ConnectionTarget {
  const { host, port, user = '', database = '' } = new pg.Client(withoutFiles(connection))
  const name = host.includes(':') ? `[${host}]` : host
  const place = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${name}:${port}`
  return { setting, place, host, user, database, isEmbedded: setting === 'DATA_DIR' }
}

/** @param setting the variable that holds the address @returns undefined if the cause is not known */
export const faultOf = (
  error: unknown,
  connection: pg.ClientConfig,
  setting: string,
): ConnectionFault | undefined => findCause(error, targetOf(connection, setting))

/** The place, the cause and the next step in one line. @returns undefined if the cause is not known */
export function explainFault(
  error: unknown,
  connection: pg.ClientConfig,
  setting = 'DATABASE_URL',
): string | undefined {
  const fault = faultOf(error, connection, setting)
  return (
    fault &&
    `The database at ${connectionAddress(connection)} (${setting}) cannot be used: ${fault.cause}: ${fault.step}`
  )
}

export const connectionAddress = (connection: pg.ClientConfig): string => targetOf(connection, '').place

/** `crm at db.example.com:5432` */
export function describeAddress(connectionString: string): string {
  const { place, database } = targetOf({ connectionString }, '')
  return `${database} at ${place}`
}
