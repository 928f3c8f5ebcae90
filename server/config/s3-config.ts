// A bucket for files or backups, from environment variables.
import { ConfigError, choice, type Env, url } from './environment.ts'

/** A bucket of a store with the S3 protocol. */
export interface S3Access {
  /** Without a path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket is in the path instead of the host's name. */
  forcePathStyle: boolean
}

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

/** @throws ConfigError for an endpoint from which no signed address can be made */
function s3Endpoint(env: Env, region: string): string {
  const text = url(env, 'S3_ENDPOINT', ['https:', 'http:']) ?? `https://s3.${region}.amazonaws.com`
  const { origin, username, pathname, search, hash } = new URL(text)
  if (username === '' && pathname === '/' && search === '' && hash === '') return origin
  throw new ConfigError('S3_ENDPOINT must be a URL without user, path, query or fragment')
}

function s3Name(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback
  if (text.length <= 255 && HOST_NAME.test(text)) return text
  throw new ConfigError(`${name} must be letters, digits, dots and hyphens, not "${text}"`)
}

/** undefined: no bucket is set. @throws ConfigError */
export function s3(env: Env): S3Access | undefined {
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
