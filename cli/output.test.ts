import { expect, test } from 'vitest'
import { table } from './output.ts'

test('table makes columns as wide as their widest cell', () => {
  expect(
    table(
      ['A', 'LONGER', 'C'],
      [
        ['wide', 'x', ''],
        ['', 'y', 'z'],
      ],
      'nothing',
    ),
  ).toEqual(['A     LONGER  C', 'wide  x', '      y       z'])
})

test('table without rows is one line', () => {
  expect(table(['A'], [], 'nothing')).toEqual(['nothing'])
})
