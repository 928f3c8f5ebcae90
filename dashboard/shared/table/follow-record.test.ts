import { expect, test } from 'vitest'
import type { CrmRecord } from '../api/records.ts'
import { followRecord } from './follow-record.ts'

const rowsOf = (...ids: (string | undefined)[]) => ({
  total: ids.length,
  at: (row: number) => (ids[row] === undefined ? undefined : ({ id: ids[row] } as CrmRecord)),
})

test.each([
  ['a row was added before it', rowsOf('new', 'a', 'b', 'c'), 2],
  ['the row before it was removed', rowsOf('b', 'c'), 0],
  ['nothing moved', rowsOf('a', 'b', 'c'), 1],
  ['the record was removed', rowsOf('a', 'c'), 1],
  ['rows around it are not loaded', rowsOf(undefined, undefined, undefined, 'b'), 3],
])('followRecord finds a record of row 1 when %s', (_, rows, wanted) => {
  expect(followRecord(rows, 1, 'b')).toBe(wanted)
})

test('a row without a record keeps its position', () => {
  expect(followRecord(rowsOf('a', 'b'), 1, undefined)).toBe(1)
})
