// A database that cannot be asked: what is wrong, and the next step, by the error of the connection.
import { errorCode } from '../db/error-code.ts'
import type { Finding } from './finding.ts'

interface Step {
  /** SQLSTATE, code of the system or of TLS. */
  codes?: readonly string[]
  message?: RegExp
  what: string
  advice: string
}

const STEPS: readonly Step[] = [
  {
    codes: ['ECONNREFUSED', 'ENOENT'],
    what: 'refuses connections',
    advice:
      'see whether PostgreSQL runs (systemctl status postgresql, docker ps) and listens at this address and port, then its log',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    what: 'has a host name that cannot be resolved',
    advice: 'check the host in the address, and the DNS of this machine (getent hosts <name>)',
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    what: 'cannot be reached over the network',
    advice: 'check the routes and firewalls between this machine and the database',
  },
  {
    codes: ['28P01', '28000'],
    what: 'does not accept the user or the password',
    advice: 'correct the user and password in the address, or pg_hba.conf on the server',
  },
  {
    codes: ['3D000'],
    what: 'has no database of this name',
    advice:
      'correct the name in the address; after a loss of data restore a backup first, do not create it empty',
  },
  {
    codes: ['53300'],
    what: 'has no connection left',
    advice:
      'see who holds them (select usename, application_name, count(*) from pg_stat_activity group by 1, 2), then raise max_connections, lower DATABASE_POOL_SIZE, or use PgBouncer',
  },
  {
    codes: ['57P03'],
    what: 'is starting, stopping or recovering',
    advice: 'wait, and see its log: a recovery after a crash can take minutes',
  },
  {
    message: /unsupported startup parameter/i,
    what: 'is behind a pooler that refuses the settings of sessions',
    advice: 'set DATABASE_POOLER=transaction, or connect to PostgreSQL directly',
  },
  {
    message: /prepared statement "[^"]*" (?:does not exist|already exists)/,
    what: 'is behind a pooler that loses prepared statements',
    advice:
      'use PgBouncer 1.21 or newer with max_prepared_statements above 0, or connect to PostgreSQL directly',
  },
  {
    codes: ['CERT_HAS_EXPIRED'],
    message: /certificate has expired/,
    what: 'has a TLS certificate that has expired',
    advice: 'renew the certificate of the server and reload PostgreSQL',
  },
  {
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    what: 'has a TLS certificate that is not trusted',
    advice: 'name its authority in the address: sslrootcert=/path/ca.pem',
  },
  {
    message: /timeout|timed out|ETIMEDOUT|does not respond/i,
    what: 'accepts no connection or answers no statement in time',
    advice:
      'see whether its machine is paused or overloaded, its disk hangs, or a firewall drops packets; then its log and pg_stat_activity',
  },
]

const OTHERWISE: Pick<Step, 'what' | 'advice'> = {
  what: 'cannot be examined',
  advice: 'see its log and that of the service, and check its address',
}

const fits = ({ codes = [], message }: Step, error: Error): boolean =>
  codes.includes(errorCode(error) ?? '') ||
  (message?.test(`${errorCode(error) ?? ''} ${error.message}`) ?? false)

/** @param where the database is, as operators know it */
export function judgeAway(thrown: unknown, where: string): Finding {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { what, advice } = STEPS.find((one) => fits(one, error)) ?? OTHERWISE
  const said = error.message || errorCode(error) || error.name
  return { check: 'database', status: 'fail', detail: `${where} ${what}: ${said}`, advice }
}
