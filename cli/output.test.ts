import { expect, test } from 'vitest'
import { table } from './output.ts'

test('columns are as wide as their widest cell', () => {
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

test('without rows there is one line', () => {
  expect(table(['A'], [], 'nothing')).toEqual(['nothing'])
})
