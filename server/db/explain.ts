// Why a database of the operator's cannot be used, in one line: the place, the cause, and what to do about it.
import pg from 'pg'
import { errorCode } from './error-code.ts'

interface Target {
  /** The variable that names the address. */
  setting: string
  /** `db.example.com:5432`, or the path of a socket. */
  place: string
  host: string
  user: string
  database: string
}

/** What can be asked of an address without connecting to it. */
function targetOf(connection: pg.ClientConfig, setting: string): Target {
  const { host, port, user = '', database = '' } = new pg.Client(connection)
  const name = host.includes(':') ? `[${host}]` : host
  const place = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${name}:${port}`
  return { setting, place, host, user, database }
}

const CERTIFICATE = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const ofCertificate = ({ setting }: Target, message: string) =>
  `its TLS certificate is not accepted (${message}): name the file of its authority with sslrootcert in ${setting}, or correct the host`

const NO_ROUTE = 'there is no way to it: check the address and the network of this machine'
const STARTING = 'it is starting, recovering or stopping: wait until it accepts connections, then start again'
const SILENT = 'it does not answer: check the address, and the firewalls between this machine and the server'

/** Causes by the code of the error: of the system, then of PostgreSQL. */
const BY_CODE: Readonly<Record<string, (target: Target, message: string) => string>> = {
  ENOTFOUND: ({ host }) => `the name ${host} does not exist: correct it, or the name server of this machine`,
  EAI_AGAIN: ({ host }) =>
    `the name ${host} cannot be looked up at the moment: check the name server of this machine`,
  ECONNREFUSED: () => 'nothing listens there: start PostgreSQL, or correct the host and the port',
  ECONNRESET: () =>
    'the connection was ended: check that PostgreSQL listens there, and what its log says about it',
  ENOENT: () => 'there is no such socket: start PostgreSQL, or correct the folder of the socket',
  EACCES: () => 'this user may not open the socket: give it access to its folder',
  ETIMEDOUT: () => SILENT,
  EHOSTUNREACH: () => NO_ROUTE,
  ENETUNREACH: () => NO_ROUTE,
  '28P01': ({ setting, user }) => `the password of the role ${user} is wrong: correct it in ${setting}`,
  '28000': ({ setting, user, database }, message) =>
    /no encryption|SSL off/.test(message)
      ? `the server does not let in ${user} without TLS: add sslmode=verify-full to ${setting}`
      : `the server does not let the role ${user} into the database ${database} (${message}): create the role, or allow it in pg_hba.conf`,
  '3D000': ({ user, database }) =>
    `there is no database ${database}: create it (createdb --owner=${user} ${database}), or correct its name`,
  '42501': ({ user, database }, message) =>
    /must be owner/.test(message)
      ? `the role ${user} does not own what is in it (${message}): let the role that made the tables connect, or give them to ${user} (REASSIGN OWNED BY …)`
      : `the role ${user} lacks a right (${message}): make it the owner of the database (ALTER DATABASE ${database} OWNER TO ${user})`,
  '42P07': ({ database }, message) =>
    `${database} holds tables of another program (${message}): use an empty database`,
  '0A000': (_, message) => `${message}: install the contributed extensions of PostgreSQL on the server`,
  '25006': () => 'it is read-only, as a standby is: use the address of the primary',
  '53300': () =>
    'all its connections are in use: end some (select * from pg_stat_activity), or raise max_connections',
  '57P01': () => STARTING,
  '57P02': () => STARTING,
  '57P03': () => STARTING,
}

/** Causes that only their message tells. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/i,
    'it is a connection pooler, which refuses the settings of sessions: set DATABASE_POOLER=transaction, or connect to PostgreSQL directly',
  ],
  [
    /does not support SSL/i,
    'the server offers no TLS: switch it on there (ssl = on), or remove sslmode from the address',
  ],
  [/timeout/i, SILENT],
]

function causeOf(error: unknown, target: Target): string | undefined {
  const code = errorCode(error) ?? ''
  const message = error instanceof Error ? error.message : ''
  if (CERTIFICATE.has(code)) return ofCertificate(target, message)
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? BY_CODE[code]?.(target, message)
}

/** Certificates and keys are read when a connection is made. */
const isOfFile = (error: unknown) => error instanceof Error && 'syscall' in error && error.syscall === 'open'

/** @param setting the variable that names the address @returns undefined where the cause is not known */
export function explainFault(
  error: unknown,
  connection: pg.ClientConfig,
  setting = 'DATABASE_URL',
): string | undefined {
  if (isOfFile(error))
    return `A file that ${setting} names cannot be read (${(error as Error).message}): correct its path, or its permissions`
  const target = targetOf(connection, setting)
  const cause = causeOf(error, target)
  return cause && `The database at ${target.place} (${setting}) cannot be used: ${cause}`
}

/** @throws Error where the address cannot be read, such as for a file that it names */
export const placeOf = (connection: pg.ClientConfig): string => targetOf(connection, '').place

/** `crm at db.example.com:5432` */
export function describeAddress(connectionString: string): string {
  const { place, database } = targetOf({ connectionString }, '')
  return `${database} at ${place}`
}
