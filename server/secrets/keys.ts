// The keys that secrets at rest are sealed with: configured, or made once in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readKeyFile } from './key-file.ts'

const KEY = /^[A-Za-z0-9+/]{43}=$/

/** Keys of 32 bytes in base64, separated by commas; undefined when one of them is not. */
export function parseKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => KEY.test(key)) ? keys.map((key) => Buffer.from(key, 'base64')) : undefined
}

/** The keys in `secrets-key` in DATA_DIR, made at the first call: they read as SECRETS_KEY does. */
export function readKeys(dataDir: string): Buffer[] {
  const path = join(dataDir, 'secrets-key')
  const keys = parseKeys(readKeyFile(path, () => randomBytes(32).toString('base64')))
  if (keys === undefined) throw new Error(`${path} contains no key: restore it from a backup`)
  return keys
}
