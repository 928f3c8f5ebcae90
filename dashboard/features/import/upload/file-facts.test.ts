import { expect, test } from 'vitest'
import { formatBytes } from '../../../ui/bytes.ts'
import { refusalOf, rowsText } from './file-facts.ts'

const MIB = 1024 * 1024
const file = (name: string, size = 10, type = '') => ({ name, size, type })

test.each([
  [file('people.csv'), undefined],
  [file('PEOPLE.CSV'), undefined],
  [file('people.tsv'), undefined],
  [file('export', 10, 'text/csv'), undefined],
  [file('people.xlsx'), /workbook.*CSV UTF-8/],
  [file('people.numbers'), /workbook/],
  [file('photo.png', 10, 'image/png'), /not a CSV file/],
  [file('people.csv', 0), /is empty/],
  [file('people.csv', 3 * MIB), /people\.csv is 3.*MB; the limit is 2.*MB/],
])('accepts or refuses the file %j', (chosen, refusal) => {
  const found = refusalOf(chosen, 2 * MIB)
  if (refusal === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(refusal)
})

test.each([
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [68 * 1024, '68 kB'],
  [2.5 * MIB, '2.5 MB'],
])('formats %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('uses the singular for one row', () => {
  expect([rowsText(1), rowsText(2)]).toEqual(['1 row', '2 rows'])
})
