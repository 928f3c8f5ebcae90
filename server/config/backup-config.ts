// Where and when backups are made, and how long they are kept, from environment variables.
import { tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import { Cron } from 'croner'
import { ConfigError, type Env, integer, keys } from './environment.ts'
import { type S3Access, s3 } from './s3-config.ts'

/** A folder, or a folder of a bucket. */
export type BackupTarget = { path: string } | { access: S3Access; folder: string }

export interface BackupConfig {
  /** Unset: no backups are made by the service. */
  target: BackupTarget | undefined
  /** The value of BACKUP_URL. */
  url: string | undefined
  /** The first encrypts, all decrypt; unset: backups are not encrypted. */
  keys: readonly Buffer[] | undefined
  /** Five fields of cron, in UTC. */
  schedule: string
  /** Any time within this number of days can be restored. */
  days: number
  /** The interval at which the write-ahead log is archived. */
  walSeconds: number
  /** The interval at which a copy of the newest backup is restored and examined; 0: never. */
  verifyHours: number
  /** The folder of this copy; undefined: the system's folder for temporary files. */
  verifyDir: string | undefined
}

/** The folder for copies that are being verified. */
export const verifyDirOf = ({ verifyDir }: BackupConfig): string => verifyDir ?? tmpdir()

/** Missing settings of the bucket for backups are taken from those of the bucket for files. */
function ownAccess(env: Env, bucket: string): S3Access | undefined {
  const own = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: env['BACKUP_S3_ENDPOINT'] || env['S3_ENDPOINT'],
    S3_REGION: env['BACKUP_S3_REGION'] || env['S3_REGION'],
    S3_ACCESS_KEY_ID: env['BACKUP_S3_ACCESS_KEY_ID'] || env['S3_ACCESS_KEY_ID'],
    S3_SECRET_ACCESS_KEY: env['BACKUP_S3_SECRET_ACCESS_KEY'] || env['S3_SECRET_ACCESS_KEY'],
    S3_FORCE_PATH_STYLE: env['BACKUP_S3_FORCE_PATH_STYLE'] || env['S3_FORCE_PATH_STYLE'],
  }
  try {
    return s3(own)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`For the bucket of backups: ${error.message.replaceAll(/\bS3_/g, 'BACKUP_S3_')}`)
  }
}

const S3_URL = /^s3:\/\/([^/?#]+)((?:\/[\w.-]+)*)\/?$/

/**
 * `s3://bucket/folder`, or the absolute path of a folder.
 * @param name of the setting, for the message
 * @throws ConfigError
 */
export function parseBackupTarget(env: Env, text: string, name: string): BackupTarget {
  if (isAbsolute(text)) return { path: text }
  const [, bucket = '', folder = ''] = S3_URL.exec(text) ?? []
  const access = bucket === '' ? undefined : ownAccess(env, bucket)
  if (access) return { access, folder: folder.slice(1) }
  throw new ConfigError(`${name} must be the absolute path of a folder, or s3://bucket/folder, not "${text}"`)
}

function schedule(env: Env): string {
  const text = env['BACKUP_SCHEDULE'] || '0 3 * * *'
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('five fields')
    new Cron(text, { paused: true, timezone: 'UTC' })
    return text
  } catch {
    throw new ConfigError(
      `BACKUP_SCHEDULE must be a cron expression of five fields such as "0 3 * * *", not "${text}"`,
    )
  }
}

/** @throws ConfigError */
export function backup(env: Env): BackupConfig {
  const url = env['BACKUP_URL'] || undefined
  return {
    url,
    target: url === undefined ? undefined : parseBackupTarget(env, url, 'BACKUP_URL'),
    keys: keys(env, 'BACKUP_KEY'),
    schedule: schedule(env),
    days: integer(env, 'BACKUP_RETENTION_DAYS', 14, [1, 3650]),
    walSeconds: integer(env, 'BACKUP_WAL_SECONDS', 60, [1, 3600]),
    verifyHours: integer(env, 'BACKUP_VERIFY_HOURS', 168, [0, 8760]),
    verifyDir: env['BACKUP_VERIFY_DIR'] || undefined,
  }
}
