// The grid of tiles, which can be dragged and resized. In a narrow window, tiles are below each other.
import { useElementSize } from '@mantine/hooks'
import 'react-grid-layout/css/styles.css'
import type { ReactNode } from 'react'
import { GridLayout, type Layout } from 'react-grid-layout'
import {
  GRID_COLUMNS,
  TILE_HEIGHT_MAX,
  TILE_HEIGHT_MIN,
  TILE_WIDTH_MIN,
} from '../../../../contract/report-layout.ts'
import type { ReportTile } from '../api/report-dashboards.ts'
import classes from './grid.module.css'
import { inOrder, type Tiles } from './layout.ts'

const ROW_PX = 36
const GAP_PX = 12
/** In a narrower grid, tiles are below each other. */
const WIDE_PX = 640

const GRID = {
  cols: GRID_COLUMNS,
  rowHeight: ROW_PX,
  margin: [GAP_PX, GAP_PX],
  containerPadding: [0, 0],
} as const

const limits = { minW: TILE_WIDTH_MIN, minH: TILE_HEIGHT_MIN, maxH: TILE_HEIGHT_MAX }

const toLayout = (tiles: Tiles): Layout =>
  tiles.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h, ...limits }))

/** The tiles with the places of the layout. */
const fromLayout = (tiles: Tiles, layout: Layout): ReportTile[] =>
  tiles.map((tile) => {
    const place = layout.find(({ i }) => i === tile.id)
    return place ? { ...tile, x: place.x, y: place.y, w: place.w, h: place.h } : tile
  })

interface TileGridProps {
  tiles: Tiles
  mayChange: boolean
  onArrange(tiles: Tiles): void
  children(tile: ReportTile, isOneColumn: boolean): ReactNode
}

const heightPx = ({ h }: ReportTile) => h * ROW_PX + (h - 1) * GAP_PX

function OneColumn({ tiles, children }: Pick<TileGridProps, 'tiles' | 'children'>) {
  return (
    <div className="stack gap-12">
      {inOrder(tiles).map((tile) => (
        <div key={tile.id} style={{ height: heightPx(tile) }}>
          {children(tile, true)}
        </div>
      ))}
    </div>
  )
}

function Columns({ tiles, mayChange, onArrange, children, width }: TileGridProps & { width: number }) {
  const arranged = (layout: Layout) => onArrange(fromLayout(tiles, layout))
  return (
    <GridLayout
      width={width}
      layout={toLayout(tiles)}
      gridConfig={GRID}
      dragConfig={{ enabled: mayChange, handle: '[data-tile-handle]', cancel: 'a, button' }}
      resizeConfig={{ enabled: mayChange, handles: ['se'] }}
      onDragStop={arranged}
      onResizeStop={arranged}
    >
      {tiles.map((tile) => (
        <div key={tile.id}>{children(tile, false)}</div>
      ))}
    </GridLayout>
  )
}

export function TileGrid(props: TileGridProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={classes.grid}>
      {width >= WIDE_PX ? <Columns {...props} width={width} /> : width > 0 && <OneColumn {...props} />}
    </div>
  )
}
