// A secret of the installation that is not configured: created once in DATA_DIR.
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
import { errorCode } from '../base/error-code.ts'
import { inheritOwner } from '../base/ownership.ts'

/** A key file cannot be used; the message is one line that says what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError'
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes a new secret to `path`, unless another process wrote one first. */
function makeFile(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeSynced(draft, `${secret}\n`)
  try {
    inheritOwner(draft)
    // Creating a link is atomic, and only one process succeeds: no reader sees a partial secret.
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

const isRefused = (error: unknown) => ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')

/** @throws KeyFileError instead of a file system error */
function explained<Result>(path: string, what: 'read' | 'created', work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const place = what === 'read' ? path : dirname(path)
    const advice = isRefused(error)
      ? `make the account that runs the service the owner of ${place}, by chown`
      : `check the disk of ${dirname(path)}`
    throw new KeyFileError(`${path} cannot be ${what} (${errorCode(error) ?? String(error)}): ${advice}`, {
      cause: error,
    })
  }
}

/** The text at `path`; undefined: there is no file. @throws KeyFileError */
export const findKeyText = (path: string): string | undefined =>
  explained(path, 'read', () => {
    try {
      return readFileSync(path, 'utf8').trim()
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
  })

/**
 * The text at `path`. A missing file is created with the result of `make` (mode 0600). Processes on several machines
 * need a configured secret instead, because each machine would create a different one.
 * @throws KeyFileError
 */
export function readKeyFile(path: string, make: () => string): string {
  const found = findKeyText(path)
  if (found === undefined) explained(path, 'created', () => makeFile(path, make()))
  const text = found ?? findKeyText(path)
  if (text) return text
  throw new KeyFileError(`${path} is empty: restore it from a backup, or delete it to create a new one`)
}
