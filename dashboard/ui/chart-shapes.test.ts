import { expect, test } from 'vitest'
import { barsOf, linesOf } from './chart-shapes.ts'

const box = { width: 40, height: 20 }
const shapes = (pairs: [number, number][]) =>
  barsOf(
    pairs.map(([up, down]) => ({ up, down })),
    box,
  )

test('bars above and below the line share one scale', () => {
  const { base, bars } = shapes([
    [30, 10],
    [0, 5],
  ])
  expect(base).toBe(15)
  expect(bars.map(({ index, side, y, height }) => [index, side, y, height])).toEqual([
    [0, 'up', 0, 15],
    [0, 'down', 15, 5],
    [1, 'down', 15, 2.5],
  ])
  expect(bars[0]).toMatchObject({ x: 0.5, width: 19 })
})

test('the smallest bar is still visible, and no bar leaves the chart', () => {
  const { base, bars } = shapes([[1000, 1]])
  expect(bars.at(-1)).toMatchObject({ side: 'down', height: 1.5 })
  for (const { y, height } of bars) {
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(20)
  }
  expect(base).toBe(18.5)
})

test.each([
  ['nothing', [], 20],
  ['hours without anything', [[0, 0]], 20],
  ['nothing but failures', [[0, 4]], 0],
] satisfies [string, [number, number][], number][])('%s: the base line is at %s', (_name, pairs, base) => {
  expect(shapes(pairs).base).toBe(base)
})

test('a missing value breaks the line', () => {
  expect(linesOf([10, null, 5, 10], box)).toEqual([
    [{ x: 5, y: 0 }],
    [
      { x: 25, y: 10 },
      { x: 35, y: 0 },
    ],
  ])
  expect(linesOf([null, null], box)).toEqual([])
  expect(linesOf([0], box)).toEqual([[{ x: 20, y: 20 }]])
})
