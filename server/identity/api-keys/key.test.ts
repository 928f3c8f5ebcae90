import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestKey, digestToHash, hashKey, isKeyShaped, keyPrefix, makeKey } from './key.ts'

const KEY = `svc_${'aB3-_'.repeat(8)}xyz`

test('a new key has the documented form and is never repeated', () => {
  const keys = Array.from({ length: 200 }, makeKey)
  for (const key of keys) {
    expect(key).toMatch(/^svc_[A-Za-z0-9_-]{43}$/)
    expect(isKeyShaped(key)).toBe(true)
    expect(Buffer.from(key.slice(4), 'base64url')).toHaveLength(32)
  }
  expect(new Set(keys).size).toBe(keys.length)
})

test('the prefix that is shown has nine characters', () => {
  expect(keyPrefix(KEY)).toBe('svc_aB3-_')
})

test('the hash is the SHA-256 of the whole key, in both forms', () => {
  const expected = createHash('sha256').update(KEY).digest()
  expect(hashKey(KEY).equals(expected)).toBe(true)
  expect(digestToHash(digestKey(KEY)).equals(expected)).toBe(true)
})

test.each([
  ['empty', ''],
  ['only the prefix', 'svc_'],
  ['one character short', KEY.slice(0, -1)],
  ['one character long', `${KEY}a`],
  ['another prefix', KEY.replace('svc_', 'svc-')],
  ['upper-case prefix', KEY.replace('svc_', 'SVC_')],
  ['base64 instead of base64url', `${KEY.slice(0, -1)}+`],
  ['a space', `${KEY.slice(0, -1)} `],
  ['a line end', `${KEY.slice(0, -1)}\n`],
  ['a letter beyond ASCII', `${KEY.slice(0, -1)}é`],
  ['U+0000', `${KEY.slice(0, -1)}\0`],
])('rejects as a key: %s', (_, text) => {
  expect(isKeyShaped(text)).toBe(false)
})

test('the check of the form agrees with the documented pattern for any text', () => {
  const near = fc
    .array(fc.constantFrom(...'aZ09-_+/ =é'), { minLength: 42, maxLength: 44 })
    .map((letters) => `svc_${letters.join('')}`)
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      expect(isKeyShaped(text)).toBe(/^svc_[A-Za-z0-9_-]{43}$/.test(text))
    }),
  )
})
