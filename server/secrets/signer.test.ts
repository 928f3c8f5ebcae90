import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner } from './signer.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]

test('a signature is valid for the signed text only', () => {
  const signer = createSigner([newer], 'uploads')
  const signature = signer.sign('text')
  expect(signature).toMatch(/^[\w-]{43}$/)
  expect(signer.isSigned('text', signature)).toBe(true)
  for (const [text, other] of [
    ['text ', signature],
    ['text', signature.slice(1)],
    ['text', `${signature}=`],
    ['text', ''],
    ['text', 'A'.repeat(43)],
    ['text', 'é'.repeat(43)],
  ] as const)
    expect(signer.isSigned(text, other)).toBe(false)
})

test('a signature is not valid for another purpose or under another key', () => {
  const signature = createSigner([newer], 'uploads').sign('text')
  expect(createSigner([newer], 'sessions').isSigned('text', signature)).toBe(false)
  expect(createSigner([older], 'uploads').isSigned('text', signature)).toBe(false)
})

test('a signature under an older key is valid while that key is configured', () => {
  const rotated = createSigner([newer, older], 'uploads')
  expect(rotated.isSigned('text', createSigner([older], 'uploads').sign('text'))).toBe(true)
  expect(rotated.sign('text')).toBe(createSigner([newer], 'uploads').sign('text'))
})
