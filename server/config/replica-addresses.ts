// The setting DATABASE_REPLICA_URLS: the addresses of standbys that may be read.
import { ConfigError } from './environment.ts'

/** A standby and its cell. */
export interface ReplicaAddress {
  /** The name of the cell in CELLS; undefined: of the database in DATABASE_URL. */
  cell: string | undefined
  databaseUrl: string
}

const REPLICA = /^(?:([a-z][a-z0-9-]{0,30})=)?(postgres(?:ql)?:\/\/\S+)$/

interface Databases {
  databaseUrl: string | undefined
  cells: readonly { name: string }[]
}

function addressOf(part: string): ReplicaAddress {
  const [, cell, databaseUrl] = REPLICA.exec(part) ?? []
  if (databaseUrl !== undefined && URL.canParse(databaseUrl)) return { cell, databaseUrl }
  // The error does not show the address, which contains a password.
  throw new ConfigError(
    'DATABASE_REPLICA_URLS must be addresses separated by spaces, such as postgres://user:password@host/database; with CELLS, eu=postgres://… is a replica of the cell eu',
  )
}

/** @throws ConfigError */
export function replicaAddresses(text = '', { databaseUrl, cells }: Databases): ReplicaAddress[] {
  const replicas = text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(addressOf)
  if (replicas.length > 0 && databaseUrl === undefined)
    throw new ConfigError(
      'DATABASE_REPLICA_URLS needs DATABASE_URL, because the embedded server has no replicas: set both or none',
    )
  const unknown = replicas.find(({ cell }) => cell !== undefined && !cells.some(({ name }) => name === cell))
  if (unknown)
    throw new ConfigError(
      `DATABASE_REPLICA_URLS names the cell ${unknown.cell}, which is not in CELLS: correct one of them`,
    )
  return replicas
}

/** The server in an address, without user and password, for operators. */
export function serverOf(databaseUrl: string): string {
  const { host, searchParams } = new URL(databaseUrl)
  return searchParams.get('host') ?? host
}
