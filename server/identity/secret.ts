// The secret that signs sessions: configured, or made once in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readKeyFile } from '../secrets/key-file.ts'

/**
 * The configured secret, or the one in DATA_DIR, made at the first call. Processes on several machines need
 * the configured one, or a session of one is unknown to the other.
 */
export const readAuthSecret = ({ authSecret, dataDir }: Pick<Config, 'authSecret' | 'dataDir'>): string =>
  authSecret ?? readKeyFile(join(dataDir, 'auth-secret'), () => randomBytes(32).toString('base64url'))
