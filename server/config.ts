// Environment variables → configuration, once. docs/operators/configuration.md lists them all.
import { resolve } from 'node:path'
import { parseKeys } from './secrets/keys.ts'

/** Access to an environment of Svix. */
export interface SvixAccess {
  token: string
  /** Of its API, without a trailing slash. */
  url: string
}

/** A bucket of a store that speaks the protocol of S3. */
export interface S3Access {
  /** Without a path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket stands in the path instead of the host's name. */
  forcePathStyle: boolean
}

export interface Config {
  port: number
  host: string
  /** Where people and programs reach the service, without a trailing slash. */
  baseUrl: string
  dataDir: string
  /** Unset: the embedded server in dataDir. */
  databaseUrl: string | undefined
  role: 'all' | 'api' | 'worker'
  rateLimitPerMinute: number
  /** Where rate windows are counted: `database` when several processes answer requests. */
  rateLimitStore: 'memory' | 'database'
  demo: boolean
  production: boolean
  poolSize: number
  /** Signs sessions of the dashboard; unset: one is made in dataDir. */
  authSecret: string | undefined
  /** Seal secrets at rest: the first seals, all open; unset: one is made in dataDir. */
  secretsKeys: readonly Buffer[] | undefined
  logLevel: string
  /** How many proxies in front append to X-Forwarded-For; 0: it is not believed. */
  trustProxy: number
  eventDays: number
  /** The largest file that may be imported through the dashboard. */
  importMaxBytes: number
  /** The largest file that may be uploaded. */
  fileBytesMax: number
  /** What all files of one organization may take up. */
  filesBytesPerOrganization: number
  /** Where files lie; unset: under dataDir. */
  s3: S3Access | undefined
  /** When set, GET /metrics asks for it. */
  metricsToken: string | undefined
  /** Unset: messages are kept for the operator. */
  smtpUrl: string | undefined
  /** Set whenever smtpUrl is. */
  mailFrom: string | undefined
  /** Whether webhooks may go to private addresses and over http. */
  egressAllowPrivate: boolean
  /** Svix delivers webhooks in place of the service; unset: the service does. */
  svix: SvixAccess | undefined
  /** So many records an object has when it gets an index. */
  indexFrom: number
  /** Whether strangers may sign up. */
  signUp: 'open' | 'closed'
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Env = Record<string, string | undefined>

function integer(env: Env, name: string, fallback: number, [min, max]: [number, number]): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

function choice<Value extends string>(
  env: Env,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = values.find((one) => one === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}"`)
}

function url(env: Env, name: string, protocols: string[]): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new ConfigError(`${name} must be an address that starts with ${protocols.join(' or ')}`)
}

function mail(env: Env): Pick<Config, 'smtpUrl' | 'mailFrom'> {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const mailFrom = env['MAIL_FROM'] || undefined
  if (smtpUrl && !mailFrom)
    throw new ConfigError('MAIL_FROM must be set with SMTP_URL: the address messages come from')
  return { smtpUrl, mailFrom }
}

/** The value is not shown: it may be a key with one letter missing. */
function keys(env: Env, name: string): Buffer[] | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const parsed = parseKeys(text)
  if (parsed !== undefined) return parsed
  throw new ConfigError(
    `${name} must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them; several are separated by commas`,
  )
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** Tokens end in the region they are of. */
const svixUrlOf = (token: string) => {
  const [, region] = /\.(us|eu|in|ca|au)$/.exec(token) ?? []
  return `https://api.${region === undefined ? '' : `${region}.`}svix.com`
}

/** The token goes with every request: over plain http it does not leave the machine. */
function svixServer(env: Env): string | undefined {
  const text = url(env, 'SVIX_SERVER_URL', ['https:', 'http:'])
  if (text === undefined) return undefined
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || LOOPBACK.includes(hostname.replace(/^\[|\]$/g, ''))
  if (isSafe && username === '' && search === '' && hash === '') return text
  throw new ConfigError(
    'SVIX_SERVER_URL must be an address like https://svix.example.com, or one of http: on this machine, without user, query or fragment',
  )
}

function svix(env: Env): SvixAccess | undefined {
  if (choice(env, 'WEBHOOK_PROVIDER', ['builtin', 'svix'], 'builtin') === 'builtin') return undefined
  const token = env['SVIX_TOKEN'] ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError('SVIX_TOKEN must be set with WEBHOOK_PROVIDER=svix: the API token, without spaces')
  return { token, url: svixServer(env) ?? svixUrlOf(token) }
}

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

/** @throws ConfigError for one that a signed address cannot be made with */
function s3Endpoint(env: Env, region: string): string {
  const text = url(env, 'S3_ENDPOINT', ['https:', 'http:']) ?? `https://s3.${region}.amazonaws.com`
  const { origin, username, pathname, search, hash } = new URL(text)
  if (username === '' && pathname === '/' && search === '' && hash === '') return origin
  throw new ConfigError('S3_ENDPOINT must be an address without user, path, query or fragment')
}

function s3Name(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback
  if (text.length <= 255 && HOST_NAME.test(text)) return text
  throw new ConfigError(`${name} must be letters, digits, dots and hyphens, not "${text}"`)
}

function s3(env: Env): S3Access | undefined {
  if (!env['S3_BUCKET']) return undefined
  const [accessKeyId, secretAccessKey] = [env['S3_ACCESS_KEY_ID'] ?? '', env['S3_SECRET_ACCESS_KEY'] ?? '']
  if (!/^[\x21-\x7e]+$/.test(accessKeyId) || !/^[\x21-\x7e]+$/.test(secretAccessKey))
    throw new ConfigError(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set with S3_BUCKET, without spaces',
    )
  const region = s3Name(env, 'S3_REGION', 'us-east-1')
  const pathStyle = choice(
    env,
    'S3_FORCE_PATH_STYLE',
    ['true', 'false'],
    env['S3_ENDPOINT'] ? 'true' : 'false',
  )
  return {
    endpoint: s3Endpoint(env, region),
    region,
    bucket: s3Name(env, 'S3_BUCKET', ''),
    accessKeyId,
    secretAccessKey,
    forcePathStyle: pathStyle === 'true',
  }
}

const files = (env: Env): Pick<Config, 'fileBytesMax' | 'filesBytesPerOrganization' | 's3'> => ({
  fileBytesMax: integer(env, 'FILE_BYTES_MAX', 50 * 1024 ** 2, [1, 5 * 1024 ** 3]),
  filesBytesPerOrganization: integer(env, 'FILES_BYTES_PER_ORGANIZATION', 10 * 1024 ** 3, [
    1,
    Number.MAX_SAFE_INTEGER,
  ]),
  s3: s3(env),
})

const PROXIES = { false: 0, true: 1, '1': 1, '2': 2, '3': 3, '4': 4, '5': 5 } as const

/** Proxies append to X-Forwarded-For: what stands further left than they reach is what the client said. */
const proxies = (env: Env): number =>
  PROXIES[choice(env, 'TRUST_PROXY', Object.keys(PROXIES) as (keyof typeof PROXIES)[], 'false')]

/** @throws ConfigError naming the variable, what it may be, and what it is */
export function readConfig(env: Env): Config {
  const port = integer(env, 'PORT', 3000, [0, 65535])
  const host = env['HOST'] || '127.0.0.1'
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const production = env['NODE_ENV'] === 'production'
  const demoPossible = !production && databaseUrl === undefined && LOOPBACK.includes(host)
  return {
    port,
    host,
    baseUrl:
      url(env, 'BASE_URL', ['http:', 'https:']) ??
      `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    dataDir: resolve(env['DATA_DIR'] || './data'),
    databaseUrl,
    role: choice(env, 'ROLE', ['all', 'api', 'worker'], 'all'),
    rateLimitPerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', 100, [1, 1_000_000_000]),
    rateLimitStore: choice(
      env,
      'RATE_LIMIT_STORE',
      ['memory', 'database'],
      databaseUrl ? 'database' : 'memory',
    ),
    demo: demoPossible && choice(env, 'RAPPORT_DEMO', ['on', 'off'], 'on') === 'on',
    production,
    poolSize: integer(env, 'DATABASE_POOL_SIZE', 12, [2, 500]),
    authSecret: env['AUTH_SECRET'] || undefined,
    secretsKeys: keys(env, 'SECRETS_KEY'),
    logLevel: choice(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'info'),
    trustProxy: proxies(env),
    metricsToken: env['METRICS_TOKEN'] || undefined,
    importMaxBytes: integer(env, 'IMPORT_MAX_BYTES', 100 * 1024 * 1024, [1, 2 ** 31 - 1]),
    ...files(env),
    eventDays: integer(env, 'EVENT_RETENTION_DAYS', 30, [1, 3650]),
    ...mail(env),
    egressAllowPrivate: choice(env, 'EGRESS_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true',
    svix: svix(env),
    indexFrom: integer(env, 'INDEX_FROM', 2000, [1, 1_000_000_000]),
    signUp: choice(env, 'SIGN_UP', ['open', 'closed'], 'open'),
  }
}
