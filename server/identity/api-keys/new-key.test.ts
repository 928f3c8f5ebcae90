import { expect, test } from 'vitest'
import { ALL_SCOPES } from '../../../contract/scopes.ts'
import { checkNewKey, type UncheckedKey } from './new-key.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const good: UncheckedKey = { name: 'Forms', scopes: ['records:write'] }

test('an absent field becomes null, and scopes are not repeated', () => {
  const scopes = ['records:write', 'records:read', 'records:write']
  expect(checkNewKey({ name: 'Forms', scopes }, NOW, 1_000_000)).toEqual({
    name: 'Forms',
    scopes: ['records:write', 'records:read'],
    expiresAt: null,
    rateLimit: null,
  })
  expect(checkNewKey({ ...good, scopes: null }, NOW, 1_000_000).scopes).toBeNull()
  expect(checkNewKey({ ...good, scopes: ALL_SCOPES }, NOW, 1_000_000).scopes).toEqual(ALL_SCOPES)
})

test('accepts an expiry date with any offset', () => {
  const { expiresAt } = checkNewKey({ ...good, expiresAt: '2026-11-20T12:00:01+02:00' }, NOW, 1_000_000)
  expect(expiresAt).toEqual(new Date('2026-11-20T10:00:01Z'))
})

test.each<[string, string, Partial<UncheckedKey>]>([
  ['name', 'invalid_length', { name: '' }],
  ['name', 'invalid_length', { name: '  ' }],
  ['name', 'invalid_length', { name: 'x'.repeat(201) }],
  ['scopes', 'invalid_length', { scopes: [] }],
  ['scopes[1]', 'invalid_scope', { scopes: ['records:read', 'records:delete'] }],
  ['scopes[0]', 'invalid_scope', { scopes: ['toString'] }],
  ['expiresAt', 'in_the_past', { expiresAt: '2026-11-20T10:00:00Z' }],
  ['expiresAt', 'invalid_timestamp', { expiresAt: 'tomorrow' }],
  ['expiresAt', 'invalid_timestamp', { expiresAt: '2026-02-30' }],
  ['rateLimit', 'out_of_range', { rateLimit: 0 }],
  ['rateLimit', 'out_of_range', { rateLimit: 1.5 }],
  ['rateLimit', 'out_of_range', { rateLimit: Number.NaN }],
])('rejects a bad %s with the code %s', (path, code, change) => {
  expect(() => checkNewKey({ ...good, ...change }, NOW, 1_000_000)).toThrow(
    expect.objectContaining({
      code: 'validation_error',
      details: { errors: [expect.objectContaining({ path, code })] },
    }),
  )
})
