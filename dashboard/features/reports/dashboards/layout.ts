// The layout of tiles: a tile is moved or resized by a step, others make space, and gaps above tiles are closed.
import {
  GRID_COLUMNS,
  TILE_HEIGHT_MAX,
  TILE_HEIGHT_MIN,
  TILE_WIDTH_MIN,
} from '../../../../contract/report-layout.ts'
import type { ReportTile } from '../api/report-dashboards.ts'

export type Tiles = readonly ReportTile[]
type TileBounds = Pick<ReportTile, 'x' | 'y' | 'w' | 'h'>

export const STEPS = ['left', 'right', 'up', 'down', 'wider', 'narrower', 'taller', 'shorter'] as const
export type Step = (typeof STEPS)[number]

const besides = (a: TileBounds, b: TileBounds): boolean => a.x + a.w <= b.x || b.x + b.w <= a.x
const overlap = (a: TileBounds, b: TileBounds): boolean =>
  !besides(a, b) && a.y < b.y + b.h && b.y < a.y + a.h

/** In reading order. */
export const inOrder = (tiles: Tiles): ReportTile[] => tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)

const isFree = (bounds: TileBounds, placed: Tiles): boolean => !placed.some((one) => overlap(one, bounds))

function raised(tile: ReportTile, placed: Tiles): ReportTile {
  let { y } = tile
  while (y > 0 && isFree({ ...tile, y: y - 1 }, placed)) y--
  return { ...tile, y }
}

function lowered(tile: ReportTile, placed: Tiles): ReportTile {
  let { y } = tile
  while (!isFree({ ...tile, y }, placed)) y++
  return { ...tile, y }
}

/** Moves every tile up as far as possible. */
export function compact(tiles: Tiles): ReportTile[] {
  const placed: ReportTile[] = []
  for (const tile of inOrder(tiles)) placed.push(raised(lowered(tile, placed), placed))
  return tiles.flatMap(({ id }) => placed.find((one) => one.id === id) ?? [])
}

/** Puts the tile at its place, and moves overlapping tiles down. */
function settle(tiles: Tiles, tile: ReportTile): ReportTile[] {
  const placed = [tile]
  for (const other of inOrder(tiles.filter(({ id }) => id !== tile.id))) placed.push(lowered(other, placed))
  return compact(tiles.flatMap(({ id }) => placed.find((one) => one.id === id) ?? []))
}

/** Restores a removed tile at its old place. */
export const withTile = (tiles: Tiles, tile: ReportTile): ReportTile[] =>
  tiles.some(({ id }) => id === tile.id) ? [...tiles] : settle([...tiles, tile], tile)

/** The nearest tile above or below in the same columns. */
function neighbour(tiles: Tiles, tile: ReportTile, direction: 'up' | 'down'): ReportTile | undefined {
  const column = tiles.filter((one) => one.id !== tile.id && !besides(one, tile))
  return direction === 'up'
    ? inOrder(column).findLast((one) => one.y < tile.y)
    : inOrder(column).find((one) => one.y > tile.y)
}

function moved(tiles: Tiles, tile: ReportTile, direction: 'up' | 'down'): ReportTile[] {
  const other = neighbour(tiles, tile, direction)
  if (!other) return [...tiles]
  // Moving down raises the other tile instead: a tile below the last one would be moved up again.
  return direction === 'up' ? settle(tiles, { ...tile, y: other.y }) : settle(tiles, { ...other, y: tile.y })
}

function resized(tile: ReportTile, step: Step): ReportTile {
  const { x, w, h } = tile
  switch (step) {
    case 'left':
      return { ...tile, x: Math.max(0, x - 1) }
    case 'right':
      return { ...tile, x: Math.min(GRID_COLUMNS - w, x + 1) }
    case 'wider': {
      const wider = Math.min(GRID_COLUMNS, w + 1)
      return { ...tile, w: wider, x: Math.min(x, GRID_COLUMNS - wider) }
    }
    case 'narrower':
      return { ...tile, w: Math.max(TILE_WIDTH_MIN, w - 1) }
    case 'taller':
      return { ...tile, h: Math.min(TILE_HEIGHT_MAX, h + 1) }
    case 'shorter':
      return { ...tile, h: Math.max(TILE_HEIGHT_MIN, h - 1) }
    default:
      return tile
  }
}

export function stepTile(tiles: Tiles, id: string, step: Step): ReportTile[] {
  const tile = tiles.find((one) => one.id === id)
  if (!tile) return [...tiles]
  if (step === 'up' || step === 'down') return moved(tiles, tile, step)
  return settle(tiles, resized(tile, step))
}

/** Whether places and titles of all tiles are the same. */
export const isSameLayout = (a: Tiles, b: Tiles): boolean =>
  a.length === b.length &&
  a.every((one) => {
    const other = b.find(({ id }) => id === one.id)
    return (
      other !== undefined && (['x', 'y', 'w', 'h', 'title'] as const).every((key) => one[key] === other[key])
    )
  })

const NEW_TILE = { w: 6, h: 8 }

/** The first free place for a new tile, in reading order. */
export function boundsForNewTile(tiles: Tiles): TileBounds {
  const bottom = Math.max(0, ...tiles.map(({ y, h }) => y + h))
  for (let y = 0; y < bottom; y++)
    for (let x = 0; x <= GRID_COLUMNS - NEW_TILE.w; x++) {
      const bounds = { x, y, ...NEW_TILE }
      if (isFree(bounds, tiles)) return bounds
    }
  return { x: 0, y: bottom, ...NEW_TILE }
}

/** "column 1, row 9, 6 wide, 8 high": for screen readers. */
export const tileBoundsWords = ({ x, y, w, h }: TileBounds): string =>
  `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`
