// Reads the configuration from environment variables, once. docs/operators/configuration.md lists them all.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { type BackupConfig, backup } from './backup-config.ts'
import { type CellAddress, cellAddresses } from './cell-addresses.ts'
import { ConfigError, choice, type Env, integer, keys, url, withFiles } from './environment.ts'
import { connectionsMax } from './open-files.ts'
import { type ClientBounds, type RateConfig, rates } from './rate-config.ts'
import { type ReplicaAddress, replicaAddresses } from './replica-addresses.ts'
import { type S3Access, s3 } from './s3-config.ts'

export interface SvixAccess {
  token: string
  /** The address of its API, without a trailing slash. */
  url: string
}

export type { BackupConfig } from './backup-config.ts'
export { ConfigError, type Env } from './environment.ts'
export type { S3Access } from './s3-config.ts'

/** The processes of the service on this machine. */
export interface ProcessCounts {
  /** The number of processes that answer requests. */
  apiProcesses: number
  /** Whether background work has a separate process; otherwise this process does both (ROLE=all). */
  workerProcess: boolean
}

export interface Config extends ProcessCounts, RateConfig, ClientBounds {
  port: number
  host: string
  /** The address of the service for people and programs, without a trailing slash. */
  baseUrl: string
  dataDir: string
  /** Nothing is written to a disk with less free space; unset: depends on the size of the disk. */
  diskFreeMinBytes: number | undefined
  /** Bytes that the embedded server reserves for a full disk; 0: none. */
  diskReserveBytes: number
  /** Unset: the embedded server in dataDir. */
  databaseUrl: string | undefined
  /** `transaction`: databaseUrl is a pooler that assigns a session for each transaction. */
  databasePooler: 'none' | 'transaction'
  /** Further databases, each with all data of its organizations; empty: all data is in the database above. */
  cells: readonly CellAddress[]
  /** Standbys for reports, exports and lists with eventual consistency. */
  replicas: readonly ReplicaAddress[]
  /** The maximum lag of a replica that is read. */
  replicaLagMaxMs: number
  role: 'all' | 'api' | 'worker'
  demo: boolean
  production: boolean
  poolSize: number
  /** Connections that one organization uses at a time. */
  connectionsPerOrganization: number
  /** Connections that one organization uses permanently while others use the database too. */
  sustainedConnectionsPerOrganization: number
  /** How long a request waits for a connection, in seconds. */
  connectionWaitSeconds: number
  /** How many requests of one organization may wait for a connection. */
  connectionWaitingMax: number
  /** How long one list or search may take, in seconds. */
  searchSecondsMax: number
  /** Limit of a quick search, over all objects and over one. After it, the search returns what it has found. */
  quickSearchSeconds: number
  /** Exports at the same time, of all organizations and of one. */
  exportsAtOnce: number
  exportsPerOrganization: number
  /** A client that reads an export more slowly for this number of seconds is disconnected. */
  exportBytesPerSecondMin: number
  exportStallSeconds: number
  /** Signs sessions of the dashboard; unset: one is made in dataDir. */
  authSecret: string | undefined
  /** Encrypt secrets at rest: the first encrypts, all decrypt; unset: one is made in dataDir. */
  secretsKeys: readonly Buffer[] | undefined
  logLevel: string
  /** Whether each request is logged. */
  accessLog: boolean
  /** How many proxies in front append to X-Forwarded-For; 0: the header is ignored. */
  trustProxy: number
  eventDays: number
  /** The largest file that may be imported through the dashboard. */
  importMaxBytes: number
  /** The largest file of a job. It is sent in pieces. */
  jobMaxBytes: number
  /** The largest file that may be uploaded. */
  fileBytesMax: number
  /** The most bytes that all files of one organization may use. */
  filesBytesPerOrganization: number
  /** The bucket for files; unset: files are stored under dataDir. */
  s3: S3Access | undefined
  /** Backups of the embedded server, its files and keys. */
  backup: BackupConfig
  /** If set, GET /metrics requires it; unset: GET /metrics answers only requests from this machine. */
  metricsToken: string | undefined
  /** Unset: messages are kept for the operator. */
  smtpUrl: string | undefined
  /** Set whenever smtpUrl is set. */
  mailFrom: string | undefined
  /** A user who owns this many organizations cannot make another one in the dashboard. */
  organizationsPerUser: number
  /** Limits of invitations and mails of workflows per UTC day: for one organization, and for all together. */
  mailsPerOrganizationPerDay: number
  mailsPerDay: number
  /** Whether webhooks may go to private addresses and over http. */
  egressAllowPrivate: boolean
  /** Access to Svix, which then delivers webhooks; unset: the service delivers them. */
  svix: SvixAccess | undefined
  /** The number of records from which an object gets an index. */
  indexFrom: number
  /** A request that is not answered within this time is aborted. */
  requestDeadlineSeconds: number
  /** The least time for which a stopping process accepts connections, so that balancers notice that it is not ready. */
  drainSeconds: number
  /** Where security problems are reported, an email address or a URI; unset: no contact is published. */
  securityContact: string | undefined
  /** Whether people without an invitation may sign up. */
  signUp: 'open' | 'closed'
}

function mail(env: Env): Pick<Config, 'smtpUrl' | 'mailFrom'> {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const mailFrom = env['MAIL_FROM'] || undefined
  if (smtpUrl && !mailFrom)
    throw new ConfigError('MAIL_FROM must be set with SMTP_URL: it is the sender address of messages')
  return { smtpUrl, mailFrom }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** A token ends with its region. */
const svixUrlOf = (token: string) => {
  const [, region] = /\.(us|eu|in|ca|au)$/.exec(token) ?? []
  return `https://api.${region === undefined ? '' : `${region}.`}svix.com`
}

/** The token is sent with every request, so plain http is allowed only to this machine. */
function svixServer(env: Env): string | undefined {
  const text = url(env, 'SVIX_SERVER_URL', ['https:', 'http:'])
  if (text === undefined) return undefined
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || LOOPBACK.includes(hostname.replace(/^\[|\]$/g, ''))
  if (isSafe && username === '' && search === '' && hash === '') return text
  throw new ConfigError(
    'SVIX_SERVER_URL must be a URL such as https://svix.example.com (http: only for this machine), without user, query or fragment',
  )
}

function svix(env: Env): SvixAccess | undefined {
  if (choice(env, 'WEBHOOK_PROVIDER', ['builtin', 'svix'], 'builtin') === 'builtin') return undefined
  const token = env['SVIX_TOKEN'] ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError('SVIX_TOKEN must be set with WEBHOOK_PROVIDER=svix: the API token, without spaces')
  return { token, url: svixServer(env) ?? svixUrlOf(token) }
}

const files = (
  env: Env,
): Pick<Config, 'fileBytesMax' | 'filesBytesPerOrganization' | 'jobMaxBytes' | 's3'> => ({
  jobMaxBytes: integer(env, 'JOB_MAX_BYTES', 1024 ** 3, [1, 2 ** 40]),
  fileBytesMax: integer(env, 'FILE_BYTES_MAX', 50 * 1024 ** 2, [1, 5 * 1024 ** 3]),
  filesBytesPerOrganization: integer(env, 'FILES_BYTES_PER_ORGANIZATION', 10 * 1024 ** 3, [
    1,
    Number.MAX_SAFE_INTEGER,
  ]),
  s3: s3(env),
})

const BYTES: [number, number] = [1024, Number.MAX_SAFE_INTEGER]

/** A parsed body uses several times its bytes. */
const eighthOfHeap = () => Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), 1024 ** 3)

function bodyBytes(env: Env): Config['bodyBytes'] {
  const process = integer(env, 'BODY_BYTES', eighthOfHeap(), BYTES)
  return {
    process,
    organization: integer(env, 'BODY_BYTES_PER_ORGANIZATION', Math.ceil(process / 2), BYTES),
    key: integer(env, 'BODY_BYTES_PER_KEY', Math.ceil(process / 4), BYTES),
  }
}

function responseBytes(env: Env): Config['responseBytes'] {
  const process = integer(env, 'RESPONSE_BYTES', eighthOfHeap(), BYTES)
  return {
    process,
    organization: integer(env, 'RESPONSE_BYTES_PER_ORGANIZATION', Math.ceil(process / 2), BYTES),
    key: integer(env, 'RESPONSE_BYTES_PER_KEY', Math.ceil(process / 4), BYTES),
  }
}

const exports = (
  env: Env,
): Pick<
  Config,
  'exportsAtOnce' | 'exportsPerOrganization' | 'exportBytesPerSecondMin' | 'exportStallSeconds'
> => ({
  exportsAtOnce: integer(env, 'EXPORTS_AT_ONCE', 6, [1, 100]),
  exportsPerOrganization: integer(env, 'EXPORTS_PER_ORGANIZATION', 2, [1, 100]),
  exportBytesPerSecondMin: integer(env, 'EXPORT_BYTES_PER_SECOND_MIN', 16 * 1024, [1, 1024 ** 3]),
  exportStallSeconds: integer(env, 'EXPORT_STALL_SECONDS', 30, [1, 600]),
})

/** @param apiProcesses they share the connections that a single process would have */
function connections(
  env: Env,
  apiProcesses: number,
): Pick<
  Config,
  | 'poolSize'
  | 'connectionsPerOrganization'
  | 'sustainedConnectionsPerOrganization'
  | 'connectionWaitSeconds'
  | 'connectionWaitingMax'
> {
  const poolSize = integer(env, 'DATABASE_POOL_SIZE', Math.max(4, Math.ceil(12 / apiProcesses)), [2, 500])
  const third = Math.max(1, Math.floor(poolSize / 3))
  const halfOfCores = Math.max(1, Math.floor(availableParallelism() / 2 / apiProcesses))
  return {
    poolSize,
    connectionsPerOrganization: integer(env, 'DATABASE_CONNECTIONS_PER_ORGANIZATION', third, [1, 500]),
    sustainedConnectionsPerOrganization: integer(
      env,
      'DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION',
      halfOfCores,
      [1, 500],
    ),
    connectionWaitSeconds: integer(env, 'DATABASE_WAIT_SECONDS', 10, [1, 60]),
    connectionWaitingMax: integer(env, 'DATABASE_WAITING_PER_ORGANIZATION', 200, [1, 100_000]),
  }
}

const CONTACT = /^(?:https:\/\/[^\s/]+\S*|(?:mailto:)?[^\s@:]+@[^\s@:]+\.[^\s@:]+)$/

function securityContact(env: Env): string | undefined {
  const text = env['SECURITY_CONTACT']
  if (text === undefined || text === '' || CONTACT.test(text)) return text || undefined
  throw new ConfigError(
    'SECURITY_CONTACT must be an email address such as security@example.com, or a URL that starts with https:',
  )
}

const people = (
  env: Env,
  production: boolean,
): Pick<
  Config,
  'signUp' | 'organizationsPerUser' | 'mailsPerOrganizationPerDay' | 'mailsPerDay' | 'securityContact'
> => ({
  signUp: choice(env, 'SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open'),
  organizationsPerUser: integer(env, 'ORGANIZATIONS_PER_USER', 10, [1, 1_000_000]),
  mailsPerOrganizationPerDay: integer(env, 'MAILS_PER_ORGANIZATION_PER_DAY', 1000, [1, 1_000_000_000]),
  mailsPerDay: integer(env, 'MAILS_PER_DAY', 10_000, [1, 1_000_000_000]),
  securityContact: securityContact(env),
})

const PROXIES = { false: 0, true: 1, '1': 1, '2': 2, '3': 3, '4': 4, '5': 5 } as const

/** Proxies append to X-Forwarded-For: entries further to the left were sent by the client. */
const proxies = (env: Env): number =>
  PROXIES[choice(env, 'TRUST_PROXY', Object.keys(PROXIES) as (keyof typeof PROXIES)[], 'false')]

// Idle connections are closed after 60 s (http/http-server.ts), so no request may be allowed as long as that.
const seconds = (
  env: Env,
): Pick<Config, 'searchSecondsMax' | 'quickSearchSeconds' | 'requestDeadlineSeconds' | 'drainSeconds'> => ({
  searchSecondsMax: integer(env, 'SEARCH_SECONDS_MAX', 5, [1, 30]),
  quickSearchSeconds: integer(env, 'QUICK_SEARCH_SECONDS', 1, [1, 30]),
  requestDeadlineSeconds: integer(env, 'REQUEST_DEADLINE_SECONDS', 30, [1, 50]),
  drainSeconds: integer(env, 'DRAIN_SECONDS', 0, [0, 60]),
})

// Behind a proxy all clients have the address of the proxy, so the proxy must limit them.
function clientConnections(env: Env): Config['connections'] {
  const process = integer(env, 'CONNECTIONS', connectionsMax(), [1, 1_000_000])
  const part = proxies(env) > 0 ? process : Math.ceil(process / 4)
  return { process, client: integer(env, 'CONNECTIONS_PER_CLIENT', part, [1, 1_000_000]) }
}

const STREAMS: [number, number] = [0, 100_000]

const liveStreams = (env: Env): Config['liveStreams'] => ({
  process: integer(env, 'LIVE_STREAMS', 2000, STREAMS),
  organization: integer(env, 'LIVE_STREAMS_PER_ORGANIZATION', 500, STREAMS),
  client: integer(env, 'LIVE_STREAMS_PER_CLIENT', 500, STREAMS),
  user: integer(env, 'LIVE_STREAMS_PER_USER', 20, STREAMS),
})

/** Limits of what clients keep open or have not read. */
const clients = (env: Env): Pick<Config, 'responseBytes' | 'connections' | 'liveStreams'> => ({
  responseBytes: responseBytes(env),
  connections: clientConnections(env),
  liveStreams: liveStreams(env),
})

function disk(env: Env): Pick<Config, 'diskFreeMinBytes' | 'diskReserveBytes'> {
  const bounds: [number, number] = [0, Number.MAX_SAFE_INTEGER]
  const isGiven = Boolean(env['DISK_FREE_MIN_BYTES'])
  return {
    diskFreeMinBytes: isGiven ? integer(env, 'DISK_FREE_MIN_BYTES', 0, bounds) : undefined,
    diskReserveBytes: integer(env, 'DISK_RESERVE_BYTES', 64 * 1024 ** 2, bounds),
  }
}

const PROCESSES_MAX = 64

// PostgreSQL and background work need the other half.
const halfOfCores = () => Math.min(PROCESSES_MAX, Math.max(1, Math.floor(availableParallelism() / 2)))

function processCounts(env: Env): ProcessCounts {
  const isAutomatic = env['API_PROCESSES'] === 'auto'
  const apiProcesses = isAutomatic ? halfOfCores() : integer(env, 'API_PROCESSES', 1, [1, PROCESSES_MAX])
  const fallback = apiProcesses > 1 ? 'on' : 'off'
  return { apiProcesses, workerProcess: choice(env, 'WORKER_PROCESS', ['on', 'off'], fallback) === 'on' }
}

const localUrl = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The configuration with the port that the system chose, also in the address unless BASE_URL is set. */
export const listeningOn = (config: Config, port: number): Config => ({
  ...config,
  port,
  baseUrl:
    config.baseUrl === localUrl(config.host, config.port) ? localUrl(config.host, port) : config.baseUrl,
})

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'databasePooler' | 'cells' | 'replicas' | 'replicaLagMaxMs'
>

function databaseOf(env: Env): DatabaseConfig {
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const cells = cellAddresses(env['CELLS'])
  return {
    databaseUrl,
    databasePooler: choice(env, 'DATABASE_POOLER', ['none', 'transaction'], 'none'),
    cells,
    replicas: replicaAddresses(env['DATABASE_REPLICA_URLS'], { databaseUrl, cells }),
    replicaLagMaxMs: integer(env, 'DATABASE_REPLICA_LAG_MAX_MS', 5000, [100, 3_600_000]),
  }
}

const logging = (env: Env): Pick<Config, 'logLevel' | 'accessLog' | 'metricsToken'> => ({
  logLevel: choice(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'info'),
  accessLog: choice(env, 'ACCESS_LOG', ['on', 'off'], 'off') === 'on',
  metricsToken: env['METRICS_TOKEN'] || undefined,
})

/** @throws ConfigError that names the variable, its allowed values, and its value */
export function readConfig(given: Env): Config {
  const env = withFiles(given)
  const port = integer(env, 'PORT', 3000, [0, 65535])
  const host = env['HOST'] || '127.0.0.1'
  const database = databaseOf(env)
  const production = env['NODE_ENV'] === 'production'
  const counts = processCounts(env)
  const role = choice(env, 'ROLE', ['all', 'api', 'worker'], 'all')
  const isShared = database.databaseUrl !== undefined || counts.apiProcesses > 1
  const isEmbeddedOnly = database.databaseUrl === undefined && database.cells.length === 0
  const demoPossible = !production && isEmbeddedOnly && LOOPBACK.includes(host)
  return {
    port,
    host,
    baseUrl: url(env, 'BASE_URL', ['http:', 'https:']) ?? localUrl(host, port),
    dataDir: resolve(env['DATA_DIR'] || './data'),
    ...disk(env),
    ...database,
    role,
    ...counts,
    ...rates(env, isShared),
    demo: demoPossible && choice(env, 'RAPPORT_DEMO', ['on', 'off'], 'on') === 'on',
    production,
    ...connections(env, role === 'worker' ? 1 : counts.apiProcesses),
    ...seconds(env),
    ...exports(env),
    authSecret: env['AUTH_SECRET'] || undefined,
    secretsKeys: keys(env, 'SECRETS_KEY'),
    ...logging(env),
    trustProxy: proxies(env),
    importMaxBytes: integer(env, 'IMPORT_MAX_BYTES', 100 * 1024 * 1024, [1, 2 ** 31 - 1]),
    ...files(env),
    backup: backup(env),
    eventDays: integer(env, 'EVENT_RETENTION_DAYS', 30, [1, 3650]),
    ...mail(env),
    ...people(env, production),
    egressAllowPrivate: choice(env, 'EGRESS_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true',
    svix: svix(env),
    indexFrom: integer(env, 'INDEX_FROM', 2000, [1, 1_000_000_000]),
    bodyBytes: bodyBytes(env),
    ...clients(env),
  }
}
