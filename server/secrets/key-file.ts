// A secret of the installation that is not configured: made once in DATA_DIR.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../db/pool.ts'

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Puts a new secret at `path` unless another process did first. */
function makeFile(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeSynced(draft, `${secret}\n`)
  try {
    // A link appears whole or not at all, and only one process can make it: no reader sees half a secret.
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The text at `path`; where there is no file, one with what `make` returns appears (mode 0600). Processes on
 * several machines need a configured secret instead, or each makes its own.
 */
export function readKeyFile(path: string, make: () => string): string {
  const found = findText(path)
  if (found === undefined) makeFile(path, make())
  const text = found ?? findText(path)
  if (!text) throw new Error(`${path} is empty: restore it from a backup, or delete it to create a new one`)
  return text
}
