// A report on a dashboard.
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { GripVertical } from 'lucide-react'
import { useOrg } from '../../../shared/use-organization.ts'
import type { ReportTile, TileReport } from '../api/report-dashboards.ts'
import { reportPaths } from '../paths.ts'
import type { Tiles } from './layout.ts'
import classes from './tile.module.css'
import { type TileActions, TileMenu } from './tile-menu.tsx'
import { TileResult } from './tile-result.tsx'

export interface TileProps extends TileActions {
  tile: ReportTile
  tiles: Tiles
  report: TileReport
  isRunning: boolean
  mayChange: boolean
  isOneColumn: boolean
}

export function Tile(props: TileProps) {
  const { tile, report, isRunning, mayChange, isOneColumn, onRun } = props
  const name = tile.title ?? report.name
  const isDragged = mayChange && !isOneColumn
  return (
    <Paper component="article" h="100%" className="stack card" aria-label={name}>
      <header className={classes.head} data-tile-handle={isDragged || undefined}>
        {isDragged && <GripVertical size={14} className="muted" opacity={0.6} aria-hidden />}
        <h2 className="truncate fill small">
          <Link
            to={reportPaths.report(useOrg(), tile.reportId)}
            className="underlined"
            title={name}
            draggable={false}
          >
            {name}
          </Link>
        </h2>
        <TileMenu {...props} name={name} />
      </header>
      <TileResult report={report} isRunning={isRunning} onRun={onRun} />
    </Paper>
  )
}
