import { describe, expect, test } from 'vitest'
import { goTo, gridPositionAfter, HEAD, nextCell, rangeOf, START } from './grid-state.ts'

const extent = { rows: 100, columns: 5, page: 10 }
const key = (name: string, isMod = false) => ({ key: name, isMod })

describe('gridPositionAfter', () => {
  test.each([
    ['ArrowDown', false, { row: 51, column: 2 }],
    ['ArrowUp', false, { row: 49, column: 2 }],
    ['ArrowLeft', false, { row: 50, column: 1 }],
    ['ArrowRight', true, { row: 50, column: 4 }],
    ['ArrowUp', true, { row: 0, column: 2 }],
    ['ArrowDown', true, { row: 99, column: 2 }],
    ['Home', false, { row: 50, column: 0 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', false, { row: 50, column: 4 }],
    ['End', true, { row: 99, column: 4 }],
    ['PageDown', false, { row: 60, column: 2 }],
    ['PageUp', false, { row: 40, column: 2 }],
    ['x', false, undefined],
  ])('%s (with the modifier: %s)', (name, isMod, expected) => {
    expect(gridPositionAfter({ row: 50, column: 2 }, key(name, isMod), extent)).toEqual(expected)
  })

  test('the head is above the first row, and PageUp stops at the first row', () => {
    expect(gridPositionAfter({ row: 0, column: 0 }, key('ArrowUp'), extent)).toEqual({ row: HEAD, column: 0 })
    expect(gridPositionAfter({ row: 3, column: 0 }, key('PageUp'), extent)).toEqual({ row: 0, column: 0 })
    expect(gridPositionAfter({ row: HEAD, column: 0 }, key('ArrowUp'), extent)).toEqual({
      row: HEAD,
      column: 0,
    })
  })
})

test.each([
  [{ row: 1, column: 4 }, 1, { row: 2, column: 0 }],
  [{ row: 1, column: 0 }, -1, { row: 0, column: 4 }],
  [{ row: 0, column: 0 }, -1, { row: 0, column: 0 }],
  [{ row: 99, column: 4 }, 1, { row: 99, column: 4 }],
] as const)('nextCell of %j by %i', (from, by, to) => {
  expect(nextCell(from, by, extent)).toEqual(to)
})

test('a range keeps its anchor and never includes the head', () => {
  const at = goTo(START, { row: 4, column: 3 })
  const marked = goTo(goTo(at, { row: 2, column: 4 }, true), { row: HEAD, column: 1 }, true)
  expect(rangeOf(marked)).toEqual({ top: 0, bottom: 4, left: 1, right: 3 })
  expect(rangeOf(goTo(marked, { row: 9, column: 0 }))).toEqual({ top: 9, bottom: 9, left: 0, right: 0 })
})
