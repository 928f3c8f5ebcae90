// Environment variables as numbers, choices and URLs. An error names the variable and the allowed values.
import { readFileSync } from 'node:fs'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Env = Readonly<Record<string, string | undefined>>

/** Variables whose value may be in a file that NAME_FILE names, as containers receive secrets. */
export const FILE_VARIABLES = [
  ...[
    'DATABASE_URL',
    'CELLS',
    'DATABASE_REPLICA_URLS',
    'AUTH_SECRET',
    'SECRETS_KEY',
    'SMTP_URL',
    'SVIX_TOKEN',
  ],
  ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'METRICS_TOKEN', 'BACKUP_KEY'],
  ...['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
]

/** @throws ConfigError for a file that cannot be read, and for a variable that is given twice */
export function withFiles(env: Env): Env {
  const read = FILE_VARIABLES.flatMap((name) => {
    const path = env[`${name}_FILE`]
    if (!path) return []
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them`)
    try {
      return [[name, readFileSync(path, 'utf8').trim()] as const]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new ConfigError(`${name}_FILE cannot be read (${why}): check its path and permissions`)
    }
  })
  return read.length === 0 ? env : { ...env, ...Object.fromEntries(read) }
}

/** @throws ConfigError */
export function integer(env: Env, name: string, fallback: number, [min, max]: [number, number]): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

/** @throws ConfigError */
export function choice<Value extends string>(
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

/** Returns the URL without trailing slashes. @throws ConfigError */
export function url(env: Env, name: string, protocols: string[]): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new ConfigError(`${name} must be a URL that starts with ${protocols.join(' or ')}`)
}

/** The notation of keys of 32 bytes, in SECRETS_KEY and in its file. */
const KEY = /^[A-Za-z0-9+/]{43}=$/

/** Keys of 32 bytes in base64, separated by commas; undefined if one of them is invalid. */
export function parseKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => KEY.test(key)) ? keys.map((key) => Buffer.from(key, 'base64')) : undefined
}

/** Keys of 32 bytes. The error does not show the value, which may be a key without one letter. @throws ConfigError */
export function keys(env: Env, name: string): Buffer[] | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const parsed = parseKeys(text)
  if (parsed !== undefined) return parsed
  throw new ConfigError(
    `${name} must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them; several are separated by commas`,
  )
}
