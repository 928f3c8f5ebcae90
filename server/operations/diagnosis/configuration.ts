// Every variable of the service with the value in use, without secrets.
import type { BackupConfig, Config } from '../../config/config.ts'

interface Variable {
  name: string
  /** The value in use, as text; undefined if there is none. */
  value: (config: Config) => string | undefined
  isSecret?: true
}

const MASK = '***'

/** The address with its password masked. */
function maskUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = new URL(text)
  if (url.password !== '') url.password = MASK
  if (url.searchParams.has('password')) url.searchParams.set('password', MASK)
  return url.href
}

const bucketOf = ({ target }: BackupConfig) => (target && 'access' in target ? target.access : undefined)

/** In the order of docs/operators/configuration.md. */
const VARIABLES: readonly Variable[] = [
  { name: 'PORT', value: ({ port }) => String(port) },
  { name: 'HOST', value: ({ host }) => host },
  { name: 'BASE_URL', value: ({ baseUrl }) => baseUrl },
  { name: 'DATA_DIR', value: ({ dataDir }) => dataDir },
  {
    name: 'DISK_FREE_MIN_BYTES',
    value: ({ diskFreeMinBytes }) => diskFreeMinBytes?.toString(),
  },
  { name: 'DISK_RESERVE_BYTES', value: ({ diskReserveBytes }) => String(diskReserveBytes) },
  { name: 'DATABASE_URL', value: ({ databaseUrl }) => maskUrl(databaseUrl) },
  { name: 'DATABASE_POOLER', value: ({ databasePooler }) => databasePooler },
  {
    name: 'CELLS',
    value: ({ cells }) =>
      cells.map((one) => `${one.name}=${maskUrl(one.databaseUrl)}`).join(' ') || undefined,
  },
  {
    name: 'DATABASE_REPLICA_URLS',
    value: ({ replicas }) =>
      replicas
        .map(({ cell, databaseUrl }) => `${cell === undefined ? '' : `${cell}=`}${maskUrl(databaseUrl)}`)
        .join(' ') || undefined,
  },
  { name: 'DATABASE_REPLICA_LAG_MAX_MS', value: ({ replicaLagMaxMs }) => String(replicaLagMaxMs) },
  { name: 'DATABASE_POOL_SIZE', value: ({ poolSize }) => String(poolSize) },
  {
    name: 'DATABASE_CONNECTIONS_PER_ORGANIZATION',
    value: ({ connectionsPerOrganization }) => String(connectionsPerOrganization),
  },
  {
    name: 'DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION',
    value: ({ sustainedConnectionsPerOrganization }) => String(sustainedConnectionsPerOrganization),
  },
  { name: 'DATABASE_WAIT_SECONDS', value: ({ connectionWaitSeconds }) => String(connectionWaitSeconds) },
  {
    name: 'DATABASE_WAITING_PER_ORGANIZATION',
    value: ({ connectionWaitingMax }) => String(connectionWaitingMax),
  },
  { name: 'EXPORTS_AT_ONCE', value: ({ exportsAtOnce }) => String(exportsAtOnce) },
  { name: 'EXPORTS_PER_ORGANIZATION', value: ({ exportsPerOrganization }) => String(exportsPerOrganization) },
  {
    name: 'EXPORT_BYTES_PER_SECOND_MIN',
    value: ({ exportBytesPerSecondMin }) => String(exportBytesPerSecondMin),
  },
  { name: 'EXPORT_STALL_SECONDS', value: ({ exportStallSeconds }) => String(exportStallSeconds) },
  { name: 'QUICK_SEARCH_SECONDS', value: ({ quickSearchSeconds }) => String(quickSearchSeconds) },
  { name: 'SEARCH_SECONDS_MAX', value: ({ searchSecondsMax }) => String(searchSecondsMax) },
  { name: 'ROLE', value: ({ role }) => role },
  { name: 'API_PROCESSES', value: ({ apiProcesses }) => String(apiProcesses) },
  { name: 'WORKER_PROCESS', value: ({ workerProcess }) => (workerProcess ? 'on' : 'off') },
  { name: 'NODE_ENV', value: ({ production }) => (production ? 'production' : undefined) },
  { name: 'AUTH_SECRET', value: ({ authSecret }) => authSecret, isSecret: true },
  { name: 'SECRETS_KEY', value: ({ secretsKeys }) => secretsKeys && 'set', isSecret: true },
  { name: 'RATE_LIMIT_PER_MINUTE', value: ({ rateLimitPerMinute }) => String(rateLimitPerMinute) },
  { name: 'KEY_RATE_LIMIT_MAX', value: ({ keyBounds }) => String(keyBounds.rate) },
  { name: 'KEYS_RATE_LIMIT_PER_ORGANIZATION', value: ({ keyBounds }) => String(keyBounds.organizationRate) },
  { name: 'KEYS_PER_ORGANIZATION', value: ({ keyBounds }) => String(keyBounds.count) },
  { name: 'RATE_LIMIT_STORE', value: ({ rateLimitStore }) => rateLimitStore },
  { name: 'USER_RATE_LIMIT_PER_MINUTE', value: ({ sessionRates }) => String(sessionRates.user) },
  {
    name: 'ORGANIZATION_RATE_LIMIT_PER_MINUTE',
    value: ({ sessionRates }) => String(sessionRates.organization),
  },
  { name: 'ADDRESS_RATE_LIMIT_PER_MINUTE', value: ({ sessionRates }) => String(sessionRates.address) },
  { name: 'BODY_BYTES', value: ({ bodyBytes }) => String(bodyBytes.process) },
  { name: 'BODY_BYTES_PER_ORGANIZATION', value: ({ bodyBytes }) => String(bodyBytes.organization) },
  { name: 'BODY_BYTES_PER_KEY', value: ({ bodyBytes }) => String(bodyBytes.key) },
  { name: 'RESPONSE_BYTES', value: ({ responseBytes }) => String(responseBytes.process) },
  {
    name: 'RESPONSE_BYTES_PER_ORGANIZATION',
    value: ({ responseBytes }) => String(responseBytes.organization),
  },
  { name: 'RESPONSE_BYTES_PER_KEY', value: ({ responseBytes }) => String(responseBytes.key) },
  { name: 'CONNECTIONS', value: ({ connections }) => String(connections.process) },
  { name: 'CONNECTIONS_PER_CLIENT', value: ({ connections }) => String(connections.client) },
  { name: 'LIVE_STREAMS', value: ({ liveStreams }) => String(liveStreams.process) },
  { name: 'LIVE_STREAMS_PER_ORGANIZATION', value: ({ liveStreams }) => String(liveStreams.organization) },
  { name: 'LIVE_STREAMS_PER_CLIENT', value: ({ liveStreams }) => String(liveStreams.client) },
  { name: 'LIVE_STREAMS_PER_USER', value: ({ liveStreams }) => String(liveStreams.user) },
  { name: 'TRUST_PROXY', value: ({ trustProxy }) => String(trustProxy || false) },
  { name: 'REQUEST_DEADLINE_SECONDS', value: ({ requestDeadlineSeconds }) => String(requestDeadlineSeconds) },
  { name: 'DRAIN_SECONDS', value: ({ drainSeconds }) => String(drainSeconds) },
  { name: 'SMTP_URL', value: ({ smtpUrl }) => maskUrl(smtpUrl) },
  { name: 'MAIL_FROM', value: ({ mailFrom }) => mailFrom },
  { name: 'EGRESS_ALLOW_PRIVATE', value: ({ egressAllowPrivate }) => String(egressAllowPrivate) },
  { name: 'WEBHOOK_PROVIDER', value: ({ svix }) => (svix ? 'svix' : 'builtin') },
  { name: 'SVIX_TOKEN', value: ({ svix }) => svix?.token, isSecret: true },
  { name: 'SVIX_SERVER_URL', value: ({ svix }) => svix?.url },
  { name: 'SECURITY_CONTACT', value: ({ securityContact }) => securityContact },
  { name: 'SIGN_UP', value: ({ signUp }) => signUp },
  { name: 'ORGANIZATIONS_PER_USER', value: ({ organizationsPerUser }) => String(organizationsPerUser) },
  {
    name: 'MAILS_PER_ORGANIZATION_PER_DAY',
    value: ({ mailsPerOrganizationPerDay }) => String(mailsPerOrganizationPerDay),
  },
  { name: 'MAILS_PER_DAY', value: ({ mailsPerDay }) => String(mailsPerDay) },
  { name: 'EVENT_RETENTION_DAYS', value: ({ eventDays }) => String(eventDays) },
  { name: 'INDEX_FROM', value: ({ indexFrom }) => String(indexFrom) },
  { name: 'IMPORT_MAX_BYTES', value: ({ importMaxBytes }) => String(importMaxBytes) },
  { name: 'JOB_MAX_BYTES', value: ({ jobMaxBytes }) => String(jobMaxBytes) },
  { name: 'FILE_BYTES_MAX', value: ({ fileBytesMax }) => String(fileBytesMax) },
  {
    name: 'FILES_BYTES_PER_ORGANIZATION',
    value: ({ filesBytesPerOrganization }) => String(filesBytesPerOrganization),
  },
  { name: 'S3_BUCKET', value: ({ s3 }) => s3?.bucket },
  { name: 'S3_ENDPOINT', value: ({ s3 }) => s3?.endpoint },
  { name: 'S3_REGION', value: ({ s3 }) => s3?.region },
  { name: 'S3_ACCESS_KEY_ID', value: ({ s3 }) => s3?.accessKeyId },
  { name: 'S3_SECRET_ACCESS_KEY', value: ({ s3 }) => s3?.secretAccessKey, isSecret: true },
  { name: 'S3_FORCE_PATH_STYLE', value: ({ s3 }) => s3 && String(s3.forcePathStyle) },
  { name: 'BACKUP_URL', value: ({ backup }) => backup.url },
  { name: 'BACKUP_KEY', value: ({ backup }) => backup.keys && 'set', isSecret: true },
  { name: 'BACKUP_SCHEDULE', value: ({ backup }) => backup.schedule },
  { name: 'BACKUP_RETENTION_DAYS', value: ({ backup }) => String(backup.days) },
  { name: 'BACKUP_WAL_SECONDS', value: ({ backup }) => String(backup.walSeconds) },
  { name: 'BACKUP_VERIFY_HOURS', value: ({ backup }) => String(backup.verifyHours) },
  { name: 'BACKUP_VERIFY_DIR', value: ({ backup }) => backup.verifyDir },
  { name: 'BACKUP_S3_ENDPOINT', value: ({ backup }) => bucketOf(backup)?.endpoint },
  { name: 'BACKUP_S3_REGION', value: ({ backup }) => bucketOf(backup)?.region },
  { name: 'BACKUP_S3_ACCESS_KEY_ID', value: ({ backup }) => bucketOf(backup)?.accessKeyId },
  {
    name: 'BACKUP_S3_SECRET_ACCESS_KEY',
    value: ({ backup }) => bucketOf(backup)?.secretAccessKey,
    isSecret: true,
  },
  {
    name: 'BACKUP_S3_FORCE_PATH_STYLE',
    value: ({ backup }) => bucketOf(backup)?.forcePathStyle.toString(),
  },
  { name: 'METRICS_TOKEN', value: ({ metricsToken }) => metricsToken, isSecret: true },
  { name: 'LOG_LEVEL', value: ({ logLevel }) => logLevel },
  { name: 'ACCESS_LOG', value: ({ accessLog }) => (accessLog ? 'on' : 'off') },
  { name: 'RAPPORT_DEMO', value: ({ demo }) => (demo ? 'on' : 'off') },
]

export const VARIABLE_NAMES: readonly string[] = VARIABLES.map(({ name }) => name)

export interface Setting {
  name: string
  /** The value in use; null if there is none. For a secret, only whether it is set. */
  value: string | null
  source: 'set' | 'default'
}

/** `env`: the environment from which `config` was read. */
export const configuredSettings = (config: Config, env: Record<string, string | undefined>): Setting[] =>
  VARIABLES.map(({ name, value, isSecret }) => {
    const text = value(config)
    const ofSecret = text === undefined ? 'not set' : 'set'
    return {
      name,
      value: isSecret ? ofSecret : (text ?? null),
      source: env[name] || env[`${name}_FILE`] ? 'set' : 'default',
    }
  })
