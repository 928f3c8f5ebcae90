import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['a, "b"', '"a, ""b"""'],
  ['=1+1', "'=1+1"],
  ['@sum(A1), B', '"\'@sum(A1), B"'],
  ['x;=1+1', '"x;\'=1+1"'],
  ['x\n=1+1', '"x\n\'=1+1"'],
  ['-5', '-5'],
  ['+1 415 555 0132', '+1 415 555 0132'],
])('the cell %j', (text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`)
})

test('rows end as CSV has them end', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['c', ''],
    ]),
  ).toBe('a,b\r\nc,\r\n')
})
