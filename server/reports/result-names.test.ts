import { expect, test } from 'vitest'
import { withPresentNames } from './result-names.ts'

const column = (key: string, more: object = {}) => ({
  key,
  label: key,
  type: 'number',
  role: 'measure',
  ...more,
})
const frame = '"truncated":true,"asOf":"2026-11-20T10:00:00.000Z","executionMs":1'
const stored = (columns: object[], rows: string) =>
  `{"columns":${JSON.stringify(columns)},"rows":[${rows}],${frame}}`

test('results contain the current names in addition to the former names', () => {
  const columns = [column('a'), column('b', { perCurrency: true }), column('c', { overlapping: true })]
  expect(JSON.parse(withPresentNames(stored(columns, '{"a":1}')))).toEqual({
    columns: [
      column('a'),
      column('b', { perCurrency: true, isPerCurrency: true }),
      column('c', { overlapping: true, isOverlapping: true }),
    ],
    rows: [{ a: 1 }],
    isTruncated: true,
    truncated: true,
    asOf: '2026-11-20T10:00:00.000Z',
    executionMs: 1,
  })
})

test('rows stay unchanged, with all digits, also when a text looks like a field', () => {
  const text = JSON.stringify(',"rows":[ ],"truncated":false,"a"')
  const rows = `{"a":1.2345678901234567890123456789,"truncated":${text}}`
  const shown = withPresentNames(stored([column('a', { label: ',"rows":[' })], rows))
  expect(shown).toContain(`"rows":[${rows}],"isTruncated":true,${frame}`)
})
