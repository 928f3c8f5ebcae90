// The form of an API key (specification, section "Authentication").
import { hash, randomBytes } from 'node:crypto'
import { KEY_PREFIX, KEY_SHOWN_LENGTH } from '../../../contract/api-keys.ts'

const RANDOM_BYTES = 32
const KEY_LENGTH = KEY_PREFIX.length + 43

/** A new key: `svc_` and 32 random bytes as 43 base64url characters. */
export const makeKey = (): string => KEY_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')

/** The part of a key that may be stored and shown. */
export const keyPrefix = (key: string): string => key.slice(0, KEY_SHOWN_LENGTH)

/** The SHA-256 of a key, which is stored. A key is random, so it needs no salt and no slow hash. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** The same hash as base64: three times cheaper to compute, for lookups in memory. */
export const digestKey = (key: string): string => hash('sha256', key, 'base64')

export const digestToHash = (digest: string): Buffer => Buffer.from(digest, 'base64')

const isBase64url = (code: number): boolean =>
  (code >= 97 && code <= 122) || // a-z
  (code >= 65 && code <= 90) || // A-Z
  (code >= 48 && code <= 57) || // 0-9
  code === 45 || // -
  code === 95 // _

/** True if the text has the form of a key. Reads at most 47 characters, even of a longer text. */
export function isKeyShaped(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(KEY_PREFIX)) return false
  for (let index = KEY_PREFIX.length; index < KEY_LENGTH; index++)
    if (!isBase64url(text.charCodeAt(index))) return false
  return true
}
