// The secret that signs sessions: configured, or made once in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../db/pool.ts'

const FILE = 'auth-secret'

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Puts a new secret at `path` unless another process did first. */
async function makeSecret(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeSynced(draft, `${randomBytes(32).toString('base64url')}\n`)
  try {
    // A link appears whole or not at all, and only one process can make it: no reader sees half a secret.
    await link(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

async function findSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The configured secret, or the one in DATA_DIR, made (mode 0600) at the first call. Processes on several
 * machines need the configured one, or a session of one is unknown to the other.
 */
export async function readAuthSecret(config: {
  authSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.authSecret !== undefined) return config.authSecret
  await mkdir(config.dataDir, { recursive: true })
  const path = join(config.dataDir, FILE)
  const secret = (await findSecret(path)) ?? (await makeSecret(path).then(() => findSecret(path)))
  if (!secret) throw new Error(`${path} is empty: remove it, and a new secret is made`)
  return secret
}
