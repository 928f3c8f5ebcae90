// Checks a layout: every tile is on the grid, has a unique id, and overlaps no other.
import type { Problem } from '../../../contract/errors.ts'
import type { ReportTile } from '../../../contract/report-dashboards.ts'
import { GRID_COLUMNS, GRID_ROWS_MAX } from '../../../contract/report-layout.ts'

const overlap = (a: ReportTile, b: ReportTile): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

function problemOf(tile: ReportTile, before: readonly ReportTile[], path: string): Problem | undefined {
  const { id, x, y, w, h } = tile
  if (before.some((one) => one.id === id))
    return {
      path: `${path}.id`,
      code: 'duplicate',
      message: `must differ from the ids of the other tiles: ${id} is already in use`,
    }
  if (x + w > GRID_COLUMNS)
    return {
      path: `${path}.w`,
      code: 'off_grid',
      message: `must end within the columns of the grid, of which there are ${GRID_COLUMNS}`,
    }
  if (y + h > GRID_ROWS_MAX)
    return {
      path: `${path}.h`,
      code: 'off_grid',
      message: `must end within the rows of the grid, of which there are ${GRID_ROWS_MAX}`,
    }
  const other = before.findIndex((one) => overlap(one, tile))
  if (other >= 0)
    return { path, code: 'overlap', message: `must not overlap tiles[${other}]: move one of them` }
  return undefined
}

/** @param known ids of existing reports, and of those that were already on the dashboard */
export const layoutProblems = (tiles: readonly ReportTile[], known: ReadonlySet<string>): Problem[] =>
  tiles.flatMap((tile, index) => {
    const path = `tiles[${index}]`
    if (!known.has(tile.reportId))
      return [
        {
          path: `${path}.reportId`,
          code: 'unknown_report',
          message: 'must be a report of this organization: choose another',
        },
      ]
    return problemOf(tile, tiles.slice(0, index), path) ?? []
  })
