import { expect, test } from 'vitest'
import { isYesOrNo, readYesNo } from './yes-no.ts'

test.each([
  ['yes', true],
  ['No', false],
  ['TRUE', true],
  ['WAHR', true],
  ['FALSCH', false],
  [' oui ', true],
  ['non', false],
  ['Sí', true],
  ['não', false],
  ['Ne', false],
  ['x', true],
  ['1', true],
  ['0', false],
  ['maybe', undefined],
  ['', undefined],
])('%j is %s', (text, value) => {
  expect(readYesNo(text)).toBe(value)
})

test('a column of numbers or marks is not one of yes and no', () => {
  expect(['1', '0', 'x'].some(isYesOrNo)).toBe(false)
  expect(['ja', 'Nein', 'true'].every(isYesOrNo)).toBe(true)
})
