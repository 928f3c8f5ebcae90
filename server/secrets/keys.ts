// How keys of 32 bytes are written, in SECRETS_KEY as in its file.
const KEY = /^[A-Za-z0-9+/]{43}=$/

/** Keys of 32 bytes in base64, separated by commas; undefined when one of them is not. */
export function parseKeys(text: string): Buffer[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => KEY.test(key)) ? keys.map((key) => Buffer.from(key, 'base64')) : undefined
}
