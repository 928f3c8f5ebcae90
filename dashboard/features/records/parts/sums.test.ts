import { expect, test } from 'vitest'
import { totals } from './sums.ts'

const group = (...sums: [string | null, string][]) => ({
  sums: sums.map(([currency, sum]) => ({ currency, sum })),
})

test('digits are never lost, and currencies never mixed', () => {
  const groups = [
    group(['USD', '0.1'], ['EUR', '12345678901234567890.0001']),
    group(['USD', '0.2'], ['EUR', '-0.0001']),
    group(),
  ]
  expect(totals(groups)).toEqual([
    { currency: 'USD', sum: '0.3' },
    { currency: 'EUR', sum: '12345678901234567890' },
  ])
})

test.each([
  [['-1.5', '0.5'], '-1'],
  [['1', '-1'], '0'],
  [['0.05'], '0.05'],
])('%j together are %s', (sums, sum) => {
  expect(totals([group(...sums.map((one): [null, string] => [null, one]))])).toEqual([
    { currency: null, sum },
  ])
})
