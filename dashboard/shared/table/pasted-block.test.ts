import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockFor, filledFrom, hasHeader } from './pasted-block.ts'

const range = (height: number, width: number, columnsLeft = 10) => ({
  top: 5,
  bottom: 4 + height,
  width,
  columnsLeft,
})

describe('blockFor', () => {
  test.each<[string, string[][], ReturnType<typeof range>, string[][]]>([
    [
      'one cell fills the range',
      [['a']],
      range(2, 3),
      [
        ['a', 'a', 'a'],
        ['a', 'a', 'a'],
      ],
    ],
    [
      'a row fills rows',
      [['a', 'b']],
      range(2, 2),
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    ['a row fills twice its width', [['a', 'b']], range(1, 4), [['a', 'b', 'a', 'b']]],
    [
      'a column fills columns',
      [['a'], ['b']],
      range(2, 2),
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [
      'a larger block goes beyond the range',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      range(1, 1),
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a block that does not fit evenly is pasted once', [['a'], ['b']], range(3, 1), [['a'], ['b']]],
    ['columns beyond the table are left out', [['a', 'b', 'c']], range(1, 1, 2), [['a', 'b']]],
    [
      'short rows are completed',
      [['a', 'b'], ['c']],
      range(1, 1),
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
  ])('%s', (_, block, into, expected) => {
    expect(blockFor(block, into, '')).toEqual(expected)
  })
})

test.each([
  [
    [
      ['Name', 'Size'],
      ['Lamp', '1'],
    ],
    true,
  ],
  [
    [
      [' name ', ''],
      ['Lamp', '1'],
    ],
    true,
  ],
  [
    [
      ['Name', 'Weight'],
      ['Lamp', '1'],
    ],
    false,
  ],
  [
    [
      ['', ''],
      ['Lamp', '1'],
    ],
    false,
  ],
  [[['Name', 'Size']], false],
])('hasHeader of %j is %s', (texts, expected) => {
  expect(hasHeader(texts, ['Name', 'Size'])).toBe(expected)
})

describe('filledFrom', () => {
  test.each([
    [{ top: 3, bottom: 3 }, 9, 3],
    [{ top: 3, bottom: 4 }, 5, 3],
    [{ top: 3, bottom: 4 }, 6, 4],
    [{ top: 3, bottom: 4 }, 2, 4],
    [{ top: 3, bottom: 4 }, 0, 4],
  ])('with the source %j, row %i repeats row %i', (from, row, expected) => {
    expect(filledFrom(from, row)).toBe(expected)
  })

  test('returns a source row, and a source row returns itself', () => {
    const rows = fc.tuple(fc.nat(50), fc.nat(20), fc.nat(200))
    fc.assert(
      fc.property(rows, ([top, more, row]) => {
        const from = { top, bottom: top + more }
        const source = filledFrom(from, row)
        expect(source).toBeGreaterThanOrEqual(from.top)
        expect(source).toBeLessThanOrEqual(from.bottom)
        expect(filledFrom(from, source)).toBe(source)
      }),
    )
  })
})
