import { expect, test } from 'vitest'
import type { Attribute } from '../../api/objects.ts'
import { csvCell, toCsv } from './csv.ts'

const of = (type: Attribute['type']) => ({ attribute: { type } as Attribute })

test.each([
  ['text', 'plain', 'plain'],
  ['text', 'a, "b"', '"a, ""b"""'],
  ['text', '=1+1', "'=1+1"],
  ['text', '@sum(A1), B', '"\'@sum(A1), B"'],
  ['number', '-5', '-5'],
  ['phone_number', '+1 415 555 0132', '+1 415 555 0132'],
] as const)('a cell of %s: %s', (type, text, cell) => {
  expect(csvCell(of(type), text)).toBe(cell)
})

test('rows end as CSV has them end', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['c', ''],
    ]),
  ).toBe('a,b\r\nc,\r\n')
})
