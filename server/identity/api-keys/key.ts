// The form of an API key (specification, section "Authentication").
import { hash, randomBytes } from 'node:crypto'
import { KEY_PREFIX, KEY_SHOWN_LENGTH } from '../../../contract/api-keys.ts'

const RANDOM_BYTES = 32
const KEY_LENGTH = KEY_PREFIX.length + 43

/** A new key: `svc_` and 32 random bytes as 43 base64url characters. */
export const makeKey = (): string => KEY_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')

/** The part of a key that may be kept and shown. */
export const keyPrefix = (key: string): string => key.slice(0, KEY_SHOWN_LENGTH)

/** What is stored of a key: its SHA-256. A key is random, so no salt and no slow hash is needed. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** The same hash as base64: three times cheaper to make, for looking a key up in memory. */
export const digestKey = (key: string): string => hash('sha256', key, 'base64')

export const digestToHash = (digest: string): Buffer => Buffer.from(digest, 'base64')

const isBase64url = (code: number): boolean =>
  (code >= 97 && code <= 122) || // a-z
  (code >= 65 && code <= 90) || // A-Z
  (code >= 48 && code <= 57) || // 0-9
  code === 45 || // -
  code === 95 // _

/** True when the text could be a key. Looks at 47 characters at most, however long the text. */
export function isKeyShaped(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(KEY_PREFIX)) return false
  for (let index = KEY_PREFIX.length; index < KEY_LENGTH; index++)
    if (!isBase64url(text.charCodeAt(index))) return false
  return true
}
