// The page of a dashboard: top bar, tiles and dialogs.
import { Stack, Text } from '@mantine/core'
import { LayoutDashboard } from 'lucide-react'
import { useState } from 'react'
import { TILES_MAX } from '../../../../contract/report-layout.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { Crumbs } from '../../../ui/crumbs.tsx'
import { Page } from '../../../ui/page.tsx'
import { toastUndo } from '../../../ui/undo-toast.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import type { ReportDashboard, ReportTile, TileReport } from '../api/report-dashboards.ts'
import { reportPaths } from '../paths.ts'
import { AddReport } from './add-report.tsx'
import { BoardDialogs, type Open } from './board-dialogs.tsx'
import { AddButton, DashboardActions } from './dashboard-actions.tsx'
import { boundsForNewTile, compact, type Step, stepTile, tileBoundsWords, withTile } from './layout.ts'
import { Tile } from './tile.tsx'
import { TileGrid } from './tile-grid.tsx'
import { useRefresh } from './use-refresh.ts'
import { type Arranging, useTiles } from './use-tiles.ts'

/** Placeholder for a report that was just added, until the dashboard is saved. */
const unknownReport = (id: string): TileReport => ({ id, name: '…', lastRun: null, lastCompleted: null })

/** The reports that have a tile, without duplicates. */
const shownReports = ({ reports }: ReportDashboard, { tiles }: Arranging): TileReport[] =>
  reports.filter(({ id }) => tiles.some(({ reportId }) => reportId === id))

function useBoard(dashboard: ReportDashboard) {
  const arranging = useTiles(dashboard)
  const { arrange } = arranging
  const refreshing = useRefresh(dashboard.id)
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState('')
  const { may, user } = useOrganization()
  const reportOf = (id: string) => dashboard.reports.find((one) => one.id === id) ?? unknownReport(id)
  const step = (tile: ReportTile, which: Step) => {
    const place = arrange((now) => stepTile(now, tile.id, which)).find(({ id }) => id === tile.id)
    if (place) setSaid(`${tile.title ?? reportOf(tile.reportId).name}: ${tileBoundsWords(place)}`)
  }
  const remove = (tile: ReportTile) => {
    arrange((now) => compact(now.filter(({ id }) => id !== tile.id)))
    const name = tile.title ?? reportOf(tile.reportId).name
    toastUndo(`Removed ${name}.`, () => void arrange((now) => withTile(now, tile)))
  }
  const add = ({ id }: { id: string }) =>
    void arrange((now) => [...now, { id: crypto.randomUUID(), reportId: id, ...boundsForNewTile(now) }])
  const mayChange = may('admin') || dashboard.creator.id === user.id
  return { arranging, refreshing, open, setOpen, said, reportOf, step, remove, add, mayChange }
}

type BoardState = ReturnType<typeof useBoard>

function Tiles({ board }: { board: BoardState }) {
  const { arranging, refreshing, setOpen, reportOf, step, remove, mayChange } = board
  return (
    <TileGrid
      tiles={arranging.tiles}
      mayChange={mayChange}
      onArrange={(next) => arranging.arrange(() => next)}
    >
      {(tile, isOneColumn) => {
        const report = reportOf(tile.reportId)
        return (
          <Tile
            {...{ tile, report, mayChange, isOneColumn }}
            tiles={arranging.tiles}
            isRunning={refreshing.progress?.reportId === report.id}
            onRun={() => refreshing.run([report])}
            onStep={(which) => step(tile, which)}
            onRename={() => setOpen({ kind: 'title', tile, reportName: report.name })}
            onRemove={() => remove(tile)}
          />
        )
      }}
    </TileGrid>
  )
}

function Empty({ board }: { board: BoardState }) {
  const action = (
    <AddButton mayChange={board.mayChange} isFull={false} onAdd={() => board.setOpen({ kind: 'add' })} />
  )
  return (
    <EmptyState icon={LayoutDashboard} title="Nothing here yet" action={action}>
      Add reports, then drag them where you like and make them as large as they need to be.
    </EmptyState>
  )
}

function Bar({ dashboard, board }: { dashboard: ReportDashboard; board: BoardState }) {
  const { arranging, refreshing, setOpen, mayChange } = board
  return (
    <DashboardActions
      mayChange={mayChange}
      hasTiles={arranging.tiles.length > 0}
      isFull={arranging.tiles.length >= TILES_MAX}
      progress={refreshing.progress}
      undo={arranging.undo}
      onRefresh={() => refreshing.run(shownReports(dashboard, arranging))}
      onStop={refreshing.stop}
      onAdd={() => setOpen({ kind: 'add' })}
      onRename={() => setOpen({ kind: 'rename' })}
      onDelete={() => setOpen({ kind: 'delete' })}
    />
  )
}

export function Board({ dashboard }: { dashboard: ReportDashboard }) {
  const board = useBoard(dashboard)
  const { arranging, open, setOpen, said, add } = board
  const close = () => setOpen(undefined)
  useShortcuts([['mod+z', () => arranging.undo?.()]])
  const way = [{ name: 'Dashboards', to: reportPaths.reportDashboards(useOrg()) }]
  return (
    <Page
      title={dashboard.name}
      heading={<Crumbs way={way} here={dashboard.name} />}
      width="full"
      actions={<Bar dashboard={dashboard} board={board} />}
    >
      <Stack className="fill" gap={12} p={16}>
        {dashboard.description && (
          <Text c="dimmed" maw="80ch">
            {dashboard.description}
          </Text>
        )}
        {arranging.tiles.length > 0 ? <Tiles board={board} /> : <Empty board={board} />}
        <div className="visually-hidden" aria-live="polite">
          {said}
        </div>
      </Stack>
      {open?.kind === 'add' && <AddReport onAdd={add} onClose={close} />}
      <BoardDialogs dashboard={dashboard} arranging={arranging} open={open} onClose={close} />
    </Page>
  )
}
