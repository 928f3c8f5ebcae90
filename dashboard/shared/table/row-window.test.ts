import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONTENT_MAX, columnWindow, pagesOf, rowWindow, scrollToRow, spans } from './row-window.ts'

const scroll = fc
  .record({
    rowHeight: fc.constantFrom(32, 36, 44),
    height: fc.integer({ min: 100, max: 2000 }),
    total: fc.integer({ min: 1, max: 3_000_000 }),
  })
  .chain((one) => {
    const content = Math.min(one.total * one.rowHeight, CONTENT_MAX)
    return fc.record({
      rowHeight: fc.constant(one.rowHeight),
      height: fc.constant(one.height),
      total: fc.constant(one.total),
      top: fc.integer({ min: 0, max: Math.max(0, content - one.height) }),
    })
  })

describe('rowWindow', () => {
  test('includes every visible row and few others, for any number of rows', () => {
    fc.assert(
      fc.property(scroll, (one) => {
        const { first, end, topOf } = rowWindow(one)
        expect(end - first).toBeLessThan(one.height / one.rowHeight + 20)
        if (first > 0) expect(topOf(first)).toBeLessThanOrEqual(one.top)
        if (end < one.total) expect(topOf(end)).toBeGreaterThanOrEqual(one.top + one.height)
      }),
    )
  })

  test('never exceeds the height limit of browsers, and still reaches the last row', () => {
    const bottom = { rowHeight: 36, height: 700, total: 2_000_000, top: CONTENT_MAX - 700 }
    const { contentHeight, end, topOf } = rowWindow(bottom)
    expect(contentHeight).toBe(CONTENT_MAX)
    expect(end).toBe(bottom.total)
    expect(topOf(bottom.total)).toBeCloseTo(CONTENT_MAX, 3)
  })
})

test('scrollToRow makes a row fully visible, and does not scroll to a visible row', () => {
  fc.assert(
    fc.property(scroll, fc.nat(), (one, any) => {
      const row = any % one.total
      const top = scrollToRow(one, row) ?? one.top
      const { topOf } = rowWindow({ ...one, top })
      expect(topOf(row)).toBeGreaterThanOrEqual(top - 2)
      expect(topOf(row) + one.rowHeight).toBeLessThanOrEqual(top + one.height + 2)
    }),
  )
})

test('spans returns the left edge and the width of each column', () => {
  expect(spans([100, 50, 80])).toEqual([
    { left: 0, width: 100 },
    { left: 100, width: 50 },
    { left: 150, width: 80 },
  ])
})

test.each([
  ['at the left', 0, 120, [0, 3]],
  ['in the middle', 160, 20, [1, 4]],
  ['past the end', 900, 100, [5, 5]],
  ['all in sight', 0, 1000, [0, 5]],
])('columnWindow %s', (_, left, width, expected) => {
  expect(columnWindow(spans([100, 50, 80, 100, 100]), left, width)).toEqual(expected)
})

test.each([
  [0, 0, []],
  [0, 100, [0]],
  [99, 101, [0, 1]],
  [250, 301, [2, 3]],
])('pagesOf rows %i to %i', (first, end, pages) => {
  expect(pagesOf(first, end, 100)).toEqual(pages)
})
