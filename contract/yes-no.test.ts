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
])('reads %j as %s', (text, value) => {
  expect(readYesNo(text)).toBe(value)
})

test('only words count as yes or no in a column, not numbers and marks', () => {
  expect(['1', '0', 'x'].some(isYesOrNo)).toBe(false)
  expect(['ja', 'Nein', 'true'].every(isYesOrNo)).toBe(true)
})
