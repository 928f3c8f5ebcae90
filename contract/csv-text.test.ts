import { expect, test } from 'vitest'
import { toCsv } from './csv-text.ts'
import { escapeFormula, unescapeFormula } from './spreadsheet-text.ts'

test.each([
  ['plain', 'plain'],
  ['a, "b"', '"a, ""b"""'],
  ['=1+1', "'=1+1"],
  ['@sum(A1), B', '"\'@sum(A1), B"'],
  ['x;=1+1', '"x;\'=1+1"'],
  ['x\n=1+1', '"x\n\'=1+1"'],
  ['x\ry', '"x\ry"'],
  ['-5', '-5'],
  ['+1 415 555 0132', '+1 415 555 0132'],
  ['', '""'],
])('writes the cell %j', (text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\n`)
})

test('writes rows of several cells', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['c', ''],
      ['', ''],
    ]),
  ).toBe('a,b\nc,\n,\n')
})

// Spreadsheets remove or hide these characters, and then run the formula behind them.
test.each(['\u00a0', '\u200b', '\ufeff', '\u2003', '\u3000', '\u2060', '\u00ad', ' \u00a0\u200b'])(
  'escapes a formula sign after %j, and restores the text',
  (space) => {
    for (const text of [`${space}=1+1`, `a;${space}@x`, `a\n${space}+1+a`]) {
      expect(escapeFormula(text)).toContain(`${space}'`)
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
    }
  },
)
