import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRID_COLUMNS } from '../../../../contract/report-layout.ts'
import type { ReportTile } from '../api/report-dashboards.ts'
import {
  boundsForNewTile,
  compact,
  inOrder,
  isSameLayout,
  STEPS,
  stepTile,
  tileBoundsWords,
  withTile,
} from './layout.ts'

const tile = (id: string, x: number, y: number, w = 6, h = 4): ReportTile => ({
  ...{ id, reportId: id, x, y, w, h },
})
const tell = (tiles: readonly ReportTile[]) => tiles.map(({ id, x, y, w, h }) => `${id} ${x},${y} ${w}×${h}`)

/** `a` and `b` are next to each other, `c` is below both. */
const three = [tile('a', 0, 0), tile('b', 6, 0), tile('c', 0, 4, 12)]

describe('a step', () => {
  test.each([
    ['c', 'up', ['a 0,4 6×4', 'b 6,4 6×4', 'c 0,0 12×4']],
    ['a', 'up', tell(three)],
    ['a', 'down', ['a 0,4 6×4', 'b 6,4 6×4', 'c 0,0 12×4']],
    ['c', 'down', tell(three)],
    ['a', 'left', tell(three)],
    ['a', 'right', ['a 1,0 6×4', 'b 6,4 6×4', 'c 0,8 12×4']],
    ['a', 'narrower', ['a 0,0 5×4', 'b 6,0 6×4', 'c 0,4 12×4']],
    ['b', 'wider', ['a 0,4 6×4', 'b 5,0 7×4', 'c 0,8 12×4']],
    ['a', 'taller', ['a 0,0 6×5', 'b 6,0 6×4', 'c 0,5 12×4']],
    ['c', 'shorter', ['a 0,0 6×4', 'b 6,0 6×4', 'c 0,4 12×3']],
    ['none', 'up', tell(three)],
  ] as const)('moves or resizes tile %s: %s', (id, step, expected) => {
    expect(tell(stepTile(three, id, step))).toEqual(expected)
  })

  test('after any change, all tiles are on the grid without overlaps', () => {
    const place = fc.record({
      x: fc.integer({ min: 0, max: 6 }),
      y: fc.integer({ min: 0, max: 30 }),
      w: fc.integer({ min: 2, max: 6 }),
      h: fc.integer({ min: 2, max: 20 }),
    })
    const act = fc.record({ which: fc.nat(7), step: fc.constantFrom(...STEPS) })
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), fc.array(act), (places, acts) => {
        let tiles = compact(places.map((one, index) => ({ id: `${index}`, reportId: 'r', ...one })))
        for (const { which, step } of acts) tiles = stepTile(tiles, `${which}`, step)
        expect(tiles.map(({ id }) => id)).toEqual(places.map((_, index) => `${index}`))
        const cells = tiles.flatMap(({ x, y, w, h }) => {
          expect(x >= 0 && x + w <= GRID_COLUMNS && y >= 0).toBe(true)
          return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
        })
        expect(new Set(cells).size).toBe(cells.length)
        expect(compact(tiles)).toEqual(tiles)
      }),
    )
  })
})

test('a new tile gets the first free place', () => {
  expect(boundsForNewTile([])).toEqual({ x: 0, y: 0, w: 6, h: 8 })
  expect(boundsForNewTile([tile('a', 0, 0, 6, 8)])).toEqual({ x: 6, y: 0, w: 6, h: 8 })
  expect(boundsForNewTile(three)).toEqual({ x: 0, y: 8, w: 6, h: 8 })
})

test('sorts tiles in reading order, and describes places in words', () => {
  expect(inOrder([tile('c', 0, 4), tile('b', 6, 0), tile('a', 0, 0)]).map(({ id }) => id)).toEqual([
    'a',
    'b',
    'c',
  ])
  expect(tileBoundsWords(tile('a', 0, 8))).toBe('column 1, row 9, 6 wide, 4 high')
})

test('compares layouts regardless of the order of tiles', () => {
  expect(isSameLayout(three, three.toReversed())).toBe(true)
  expect(isSameLayout(three, [...three.slice(1), tile('a', 0, 0, 5)])).toBe(false)
  expect(isSameLayout(three, three.slice(1))).toBe(false)
})

test('a restored tile gets its old place, even if another tile is there', () => {
  const [a, b, c] = three
  if (!a || !b || !c) throw new Error('there are three')
  expect(tell(withTile([tile('b', 0, 0), tile('c', 0, 4, 12)], a))).toEqual([
    'b 0,4 6×4',
    'c 0,8 12×4',
    'a 0,0 6×4',
  ])
  expect(tell(withTile(three, a))).toEqual(tell(three))
})
