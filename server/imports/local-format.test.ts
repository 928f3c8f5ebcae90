import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellFormat } from '../../contract/imports.ts'
import { readDay, readMoney, readNumber } from '../../contract/local-format.ts'
import { escapeFormula, unescapeFormula } from '../../contract/spreadsheet-text.ts'
import { type CellTarget, plainCell } from './local-format.ts'

const POINT: CellFormat = { dates: 'mdy', decimal: '.' }
const COMMA: CellFormat = { dates: 'dmy', decimal: ',' }

test.each([
  ['2026-11-20', POINT, '2026-11-20'],
  ['2026/1/2', COMMA, '2026-01-02'],
  ['1/2/2026', POINT, '2026-01-02'],
  ['1.2.2026', COMMA, '2026-02-01'],
  ['31.12.26', COMMA, '2026-12-31'],
  ['31.12.58', COMMA, '1958-12-31'],
  ['12/31/2026 14:30', POINT, '2026-12-31'],
  ['2026-11-20T10:00:00Z', POINT, '2026-11-20T10:00:00Z'],
  ['12 Mar 2026', POINT, '2026-03-12'],
  ['12-Mar-26', COMMA, '2026-03-12'],
  ['March 12th, 2026', COMMA, '2026-03-12'],
  ['Thu, 12 Mar 2026 10:30', POINT, '2026-03-12'],
  ['12. März 2026', POINT, '2026-03-12'],
  ['1er août 2026', POINT, '2026-08-01'],
  ['12 de marzo de 2026', POINT, '2026-03-12'],
  ['12 marca 2026', POINT, '2026-03-12'],
  ['2026 Mar 12', COMMA, '2026-03-12'],
  ['12 Maz 2026', POINT, '12 Maz 2026'],
  ['Mar 2026', POINT, 'Mar 2026'],
  ['someday', POINT, 'someday'],
  ['1/2/2026', { ...POINT, dates: 'ymd' } as const, '1/2/2026'],
])('reads the day %s', (text, format, day) => {
  expect(readDay(text, format, 2026)).toBe(day)
})

test.each([
  ['1,234.50', POINT, '1234.50'],
  ['1.234,50', COMMA, '1234.50'],
  ['1 234,5', COMMA, '1234.5'],
  ['-.5', POINT, '-0.5'],
  ['+3', POINT, '3'],
  ['1.234', COMMA, '1234'],
  ['12.5', COMMA, '12.5'],
  ['0.125', COMMA, '0.125'],
  ['1.2k', POINT, '1200'],
  ['1.2k', COMMA, '1200'],
  ['1,5 Mio', COMMA, '1500000'],
  ['0.0125k', POINT, '12.5'],
  ['1,234k', POINT, '1234000'],
  ['ok', POINT, 'ok'],
  ['1,2,3', POINT, '1,2,3'],
  ['many', POINT, 'many'],
])('reads the number %s', (text, format, number) => {
  expect(readNumber(text, format)).toBe(number)
})

test.each([
  ['$1,200.50', POINT, 'USD 1200.50'],
  ['-$5', POINT, 'USD -5'],
  ['($5)', POINT, 'USD -5'],
  ['1.200,50 €', COMMA, 'EUR 1200.50'],
  ['EUR 5', POINT, 'EUR 5'],
  ['5 chf', POINT, 'CHF 5'],
  ['$1.2k', POINT, 'USD 1200'],
  ['-€1,5m', COMMA, 'EUR -1500000'],
  ['1.2k EUR', POINT, 'EUR 1200'],
  ['GBP 3k', POINT, 'GBP 3000'],
  ['3 Mio', COMMA, '3000000'],
  ['1,000', POINT, '1000'],
  ['free', POINT, 'free'],
])('reads the amount %s', (text, format, money) => {
  expect(readMoney(text, format)).toBe(money)
})

test('reads options and countries in any case', () => {
  const stage = {
    type: 'select',
    isList: false,
    config: { options: ['Lead', 'Won'] },
  } satisfies CellTarget['attribute']
  expect(plainCell(' won', { attribute: stage, part: undefined }, POINT)).toBe('Won')
  expect(plainCell('lost', { attribute: stage, part: undefined }, POINT)).toBe('lost')
})

test('unescapeFormula returns the text before escapeFormula', () => {
  for (const text of ['=1+1', '+a', '-a', '@x', '＝1', '\tx', '\rx', "'=1", "''+1"]) {
    expect(escapeFormula(text)).toBe(`'${text}`)
    expect(unescapeFormula(escapeFormula(text))).toBe(text)
  }
  expect(escapeFormula('a;=b; @c\n-d\r\n+e\t=f')).toBe("a;'=b; '@c\n'-d\r\n'+e\t'=f")
  for (const text of ['-5', '+1 (202) 555-0101', '-1200.50 EUR', '2026-11-22', 'a-b', 'a = b'])
    expect(escapeFormula(text)).toBe(text)
  expect(escapeFormula("o'clock")).toBe("o'clock")
  expect(unescapeFormula("'tis")).toBe("'tis")
  const near = fc.string({ unit: fc.constantFrom(...";\t\r\n \u00a0\u200b\ufeff'=+-@a1") })
  fc.assert(fc.property(near, (text) => unescapeFormula(escapeFormula(text)) === text))
})
