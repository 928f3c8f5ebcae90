// Maps connection errors to the cause and the next step. The start of the service, the commands and the doctor share
// this list.
import { errorCode, LOST_STATEMENT } from '../base/error-code.ts'

export interface ConnectionTarget {
  /** The environment variable that holds the address. */
  setting: string
  /** `db.example.com:5432`, or the path of a socket. */
  place: string
  host: string
  user: string
  database: string
  /** Whether the service starts and stops this server. */
  isEmbedded: boolean
}

/** Both are parts of a sentence; the cause follows `cannot be used:`. */
export interface ConnectionFault {
  cause: string
  step: string
}

interface Known {
  /** SQLSTATEs, or codes of system or TLS errors. Undefined: any code. */
  codes?: readonly string[]
  /** Undefined: any message. */
  message?: RegExp
  /** Whether the database may come back without another setting: a start waits for it. */
  passes?: true
  describe(target: ConnectionTarget, message: string): ConnectionFault
}

/** Of errors that this process makes. */
const NO_CODE = ''

const startServer = ({ isEmbedded }: ConnectionTarget, orElse: string) =>
  isEmbedded
    ? 'the service starts it again by itself; if that fails, see the log of the service for the reason, then restart the service'
    : `start PostgreSQL (see systemctl status postgresql or docker ps, and its log), or correct ${orElse}`

const silent = ({ isEmbedded }: ConnectionTarget): ConnectionFault => ({
  cause: 'it accepts no connection or answers no statement in time',
  step: isEmbedded
    ? 'see whether its processes are stopped (state T in ps), this machine is overloaded or its disk hangs (top, dmesg), and the log of the service; then restart the service'
    : 'check the address, and whether its machine is paused or overloaded, its disk hangs, or a firewall drops packets; then see its log and pg_stat_activity',
})

/** Faults of the network between the two machines. */
const OF_NETWORK: readonly Known[] = [
  {
    // Also while a container is away: its name is then unknown.
    codes: ['ENOTFOUND'],
    passes: true,
    describe: ({ host }) => ({
      cause: `the name ${host} does not exist`,
      step: `correct it, or the DNS of this machine (getent hosts ${host})`,
    }),
  },
  {
    codes: ['EAI_AGAIN'],
    passes: true,
    describe: ({ host }) => ({
      cause: `the name ${host} cannot be looked up at the moment`,
      step: `check the DNS of this machine (getent hosts ${host})`,
    }),
  },
  {
    codes: ['ECONNREFUSED'],
    passes: true,
    describe: (target) => ({
      cause: 'nothing listens there',
      step: startServer(target, 'the host and the port'),
    }),
  },
  {
    codes: ['ECONNRESET', 'EPIPE'],
    passes: true,
    describe: () => ({
      cause: 'the connection was ended',
      step: 'check that PostgreSQL listens there, and what its log says about it',
    }),
  },
  {
    // A balancer ends a connection without an error message when it has no server for it.
    message: /^Connection terminated unexpectedly/,
    passes: true,
    describe: ({ isEmbedded }) => ({
      cause: 'it accepted the connection and then ended it',
      step: isEmbedded
        ? 'see its log and that of the service'
        : 'see its log; where a balancer is in between, see whether it has a primary (patronictl list)',
    }),
  },
  {
    codes: ['ENOENT'],
    passes: true,
    describe: (target) => ({
      cause: 'there is no such socket',
      step: startServer(target, 'the folder of the socket'),
    }),
  },
  {
    codes: ['EACCES'],
    describe: () => ({
      cause: 'this user may not open the socket',
      step: 'give it access to its folder',
    }),
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    passes: true,
    describe: () => ({
      cause: 'there is no way to it over the network',
      step: 'check the address, and the routes and firewalls between this machine and the database',
    }),
  },
]

const OF_TLS: readonly Known[] = [
  {
    message: /does not support SSL/i,
    describe: () => ({
      cause: 'the server offers no TLS',
      step: 'switch it on there (ssl = on), or remove sslmode from the address',
    }),
  },
  {
    codes: ['CERT_HAS_EXPIRED'],
    describe: () => ({
      cause: 'its TLS certificate has expired',
      step: 'renew the certificate of the server and reload PostgreSQL',
    }),
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    describe: ({ setting }, message) => ({
      cause: `its TLS certificate is of another host (${message})`,
      step: `correct the host in ${setting}, or give the server a certificate of its name`,
    }),
  },
  {
    codes: [
      ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ],
    describe: ({ setting }, message) => ({
      cause: `its TLS certificate is not trusted (${message})`,
      step: `name the file of its authority in ${setting} (sslrootcert=/path/ca.pem)`,
    }),
  },
]

export const LOSES_STATEMENTS: ConnectionFault = {
  cause: 'it is a connection pooler, which loses prepared statements',
  step: 'use PgBouncer 1.21 or newer with max_prepared_statements above 0, or connect to PostgreSQL directly, without DATABASE_POOLER',
}

const OF_POOLERS: readonly Known[] = [
  {
    // Also for a wrong password of the pooler, which it does not tell from a server that is away.
    message: /server_login_retry|cannot connect to server/i,
    passes: true,
    describe: (_, message) => ({
      cause: `it is a connection pooler that has no connection to PostgreSQL (${message})`,
      step: 'start PostgreSQL, or correct the settings of the pooler; see its log',
    }),
  },
  {
    message: /unsupported startup parameter/i,
    describe: () => ({
      cause: 'it is a connection pooler, which refuses the settings of sessions',
      step: 'set DATABASE_POOLER=transaction, or connect to PostgreSQL directly',
    }),
  },
  {
    codes: LOST_STATEMENT,
    describe: () => LOSES_STATEMENTS,
  },
]

const OF_ROLES: readonly Known[] = [
  {
    codes: ['28P01'],
    describe: ({ setting, user }) => ({
      cause: `the password of the role ${user} is wrong`,
      step: `correct the role and the password in ${setting}, or pg_hba.conf on the server`,
    }),
  },
  {
    codes: ['28000'],
    message: /no encryption|SSL off/,
    describe: ({ setting, user }) => ({
      cause: `the server does not let in ${user} without TLS`,
      step: `add sslmode=verify-full to ${setting}`,
    }),
  },
  {
    codes: ['28000'],
    describe: ({ user, database }, message) => ({
      cause: `the server does not let the role ${user} into the database ${database} (${message})`,
      step: 'create the role, or allow it in pg_hba.conf',
    }),
  },
  {
    codes: ['42501'],
    message: /must be owner/,
    describe: ({ user }, message) => ({
      cause: `the role ${user} does not own what is in it (${message})`,
      step: `let the role that made the tables connect, or give them to ${user} (REASSIGN OWNED BY …)`,
    }),
  },
  {
    codes: ['42501'],
    describe: ({ user, database }, message) => ({
      cause: `the role ${user} lacks a right (${message})`,
      step: `make it the owner of the database (ALTER DATABASE ${database} OWNER TO ${user})`,
    }),
  },
]

const OF_SERVER: readonly Known[] = [
  {
    codes: ['3D000'],
    describe: ({ user, database }) => ({
      cause: `there is no database ${database}`,
      step: `create it (createdb --owner=${user} --encoding=UTF8 --locale=C --template=template0 ${database}), or correct its name; after a loss of data restore a backup first, do not create it empty`,
    }),
  },
  {
    codes: ['42P07'],
    describe: ({ database }, message) => ({
      cause: `${database} holds tables of another program (${message})`,
      step: 'use an empty database',
    }),
  },
  {
    codes: ['0A000'],
    describe: (_, message) => ({
      cause: message,
      step: 'install the contributed extensions of PostgreSQL on the server',
    }),
  },
  {
    // Also during a failover.
    codes: ['25006'],
    passes: true,
    describe: () => ({
      cause: 'it is read-only, as a standby is',
      step: 'use the address of the primary',
    }),
  },
  {
    codes: ['53300'],
    passes: true,
    describe: () => ({
      cause: 'all its connections are in use',
      step: 'see who holds them (select usename, application_name, count(*) from pg_stat_activity group by 1, 2) and end some, then raise max_connections, lower DATABASE_POOL_SIZE, or use PgBouncer',
    }),
  },
  {
    codes: ['57P01', '57P02', '57P03'],
    passes: true,
    describe: () => ({
      cause: 'it is starting, recovering or stopping',
      step: 'wait until it accepts connections, then try again; see its log: a recovery after a crash can take minutes',
    }),
  },
  { codes: ['ETIMEDOUT', '55P03', '57014'], passes: true, describe: silent },
  { codes: [NO_CODE], message: /timeout|timed out|does not respond/i, passes: true, describe: silent },
]

/** The first entry that matches is the cause. */
const KNOWN: readonly Known[] = [...OF_POOLERS, ...OF_TLS, ...OF_NETWORK, ...OF_ROLES, ...OF_SERVER]

const callOf = (error: unknown) => (error instanceof Error && 'syscall' in error ? error.syscall : undefined)

/** Certificates and keys are read when a connection is made. */
const OF_FILE: Known = {
  describe: ({ setting }, message) => ({
    cause: `a file that ${setting} names cannot be read (${message})`,
    step: 'correct its path, or its permissions',
  }),
}

const messageIn = (error: unknown) => (error instanceof Error ? error.message : '')

function knownOf(error: unknown): Known | undefined {
  const call = callOf(error)
  if (call === 'open') return OF_FILE
  // Another file is missing, such as a migration.
  if (errorCode(error) === 'ENOENT' && call !== undefined && call !== 'connect') return undefined
  const [code, message] = [errorCode(error) ?? NO_CODE, messageIn(error)]
  return KNOWN.find((one) => (one.codes?.includes(code) ?? true) && (one.message?.test(message) ?? true))
}

/** @returns undefined if the cause is not known */
export const findCause = (error: unknown, target: ConnectionTarget): ConnectionFault | undefined =>
  knownOf(error)?.describe(target, messageIn(error))

/** Whether the database may come back without another setting; false if the cause is not known. */
export const mayPass = (error: unknown): boolean => knownOf(error)?.passes === true
