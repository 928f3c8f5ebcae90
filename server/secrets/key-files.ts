// The files of DATA_DIR that an installation needs in addition to its database and the files of its records. They are
// created at the first start; backup, restore and the checks use this list. Certificates and the passwords of other
// servers are settings, not files here.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { errorCode } from '../base/error-code.ts'
import type { Config } from '../config/config.ts'
import { parseKeys } from '../config/environment.ts'
import { passwordFile } from '../db/embedded/cluster.ts'
import { findKeyText, KeyFileError, readKeyFile } from './key-file.ts'

/** Settings that can replace key files. */
export type KeySettings = Pick<Config, 'authSecret' | 'secretsKeys' | 'databaseUrl'>

/** Where the key files of an installation are, and which of them it has. */
export type KeyPlace = KeySettings & Pick<Config, 'dataDir'>

export interface KeyFile {
  /** Below DATA_DIR. */
  name: string
  /** The variable that replaces the file. */
  setting: 'AUTH_SECRET' | 'SECRETS_KEY' | 'DATABASE_URL'
  isReplaced(settings: KeySettings): boolean
  isValid(text: string): boolean
  /** What happens without it. */
  loss: string
}

interface MadeKeyFile extends KeyFile {
  /** The content of a new one. */
  make(): string
}

const AUTH_SECRET: MadeKeyFile = {
  name: 'auth-secret',
  setting: 'AUTH_SECRET',
  isReplaced: ({ authSecret }) => authSecret !== undefined,
  isValid: (text) => text !== '',
  make: () => randomBytes(32).toString('base64url'),
  loss: 'everyone has to sign in again',
}

const SECRETS_KEY: MadeKeyFile = {
  name: 'secrets-key',
  setting: 'SECRETS_KEY',
  isReplaced: ({ secretsKeys }) => secretsKeys !== undefined,
  isValid: (text) => parseKeys(text) !== undefined,
  make: () => randomBytes(32).toString('base64'),
  loss: 'the secrets of webhook endpoints and workflows cannot be decrypted',
}

/** The password of the database, created with it. */
const DATABASE_PASSWORD: KeyFile = {
  name: `postgres/${passwordFile}`,
  setting: 'DATABASE_URL',
  isReplaced: ({ databaseUrl }) => databaseUrl !== undefined,
  isValid: (text) => text !== '',
  loss: 'the service cannot sign in to its database',
}

/** The key files that the first start creates. */
export const MADE_KEY_FILES: readonly MadeKeyFile[] = [AUTH_SECRET, SECRETS_KEY]

export const KEY_FILES: readonly KeyFile[] = [...MADE_KEY_FILES, DATABASE_PASSWORD]

/** @throws KeyFileError */
function readOrMake({ name, setting, isValid, make }: MadeKeyFile, dataDir: string): string {
  const path = join(dataDir, name)
  const text = readKeyFile(path, make)
  if (isValid(text)) return text
  throw new KeyFileError(`${path} contains no key: restore it from a backup, or set ${setting}`)
}

/** The configured secret that signs sessions, or the one in DATA_DIR. @throws KeyFileError */
export const readAuthSecret = ({ authSecret, dataDir }: Pick<KeyPlace, 'authSecret' | 'dataDir'>): string =>
  authSecret ?? readOrMake(AUTH_SECRET, dataDir)

/** The configured keys that encrypt secrets, or those in DATA_DIR. @throws KeyFileError */
export const readSecretsKeys = ({
  secretsKeys,
  dataDir,
}: Pick<KeyPlace, 'secretsKeys' | 'dataDir'>): readonly Buffer[] =>
  secretsKeys ?? parseKeys(readOrMake(SECRETS_KEY, dataDir)) ?? []

/** Creates missing key files, so that every backup contains them. @returns their names @throws KeyFileError */
export function ensureKeyFiles(place: KeyPlace): string[] {
  const wanted = MADE_KEY_FILES.filter(({ isReplaced }) => !isReplaced(place))
  const missing = wanted.filter(({ name }) => findKeyText(join(place.dataDir, name)) === undefined)
  for (const key of wanted) readOrMake(key, place.dataDir)
  return missing.map(({ name }) => name)
}

/**
 * Runs before the service starts. With an external database, DATA_DIR may be read-only: a key is then read at the first
 * use.
 * @returns the names of the created files
 * @throws KeyFileError
 */
export function prepareKeyFiles(place: KeyPlace, log: Logger): string[] {
  try {
    return ensureKeyFiles(place)
  } catch (err) {
    // An error without a cause means that the content is invalid.
    const isOfDisk = err instanceof KeyFileError && err.cause !== undefined
    if (place.databaseUrl === undefined || !isOfDisk) throw err
    log.warn(
      { err },
      'a key file cannot be made: what needs it fails until DATA_DIR can be written, or AUTH_SECRET and SECRETS_KEY are set',
    )
    return []
  }
}

/** The key files that are missing from a backup with the key files `names`. */
export const lackingKeys = (names: readonly string[], settings: KeySettings): KeyFile[] =>
  KEY_FILES.filter((key) => !key.isReplaced(settings) && !names.includes(key.name))

export type KeyFault = 'is missing' | 'cannot be read' | 'contains no key'

const NO_DESCRIPTOR = ['EMFILE', 'ENFILE']

/** What is wrong with a key file; undefined: nothing, or no file descriptor is free to check it. */
export function findKeyFault({ name, isValid }: KeyFile, dataDir: string): KeyFault | undefined {
  try {
    const text = findKeyText(join(dataDir, name))
    if (text === undefined) return 'is missing'
    return isValid(text) ? undefined : 'contains no key'
  } catch (error) {
    const cause = error instanceof KeyFileError ? error.cause : error
    return NO_DESCRIPTOR.includes(errorCode(cause) ?? '') ? undefined : 'cannot be read'
  }
}
