import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDecimals, decimalOf, negated } from './decimals.ts'

test.each([
  ['0.1', '0.2', '0.3'],
  ['10', '-3.5', '6.5'],
  ['-0.05', '0.05', '0'],
  ['1.50', '0', '1.5'],
  ['99999999999999999999999999.9999', '0.0001', '100000000000000000000000000'],
  ['-0.5', '-0.75', '-1.25'],
])('%s + %s = %s', (a, b, sum) => {
  expect(addDecimals(a, b)).toBe(sum)
})

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 9999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(4, '0')}`)

test('subtracting an added number restores the first one', () => {
  fc.assert(
    fc.property(decimals, decimals, (a, b) => {
      expect(addDecimals(addDecimals(a, b), negated(b))).toBe(addDecimals(a, '0'))
    }),
  )
})

test.each([
  [12.5, '12.5'],
  ['0.0001', '0.0001'],
  [1e21, undefined],
  [undefined, undefined],
  ['many', undefined],
])('decimalOf(%s) is %s', (value, decimal) => {
  expect(decimalOf(value)).toBe(decimal)
})
