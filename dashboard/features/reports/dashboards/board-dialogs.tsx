// The dialogs of a dashboard.
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { counted } from '../../../../contract/counted.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  deleteReportDashboard,
  type ReportDashboard,
  type ReportTile,
  reportDashboardQuery,
  reportDashboardsQuery,
  updateReportDashboard,
} from '../api/report-dashboards.ts'
import { reportPaths } from '../paths.ts'
import { DashboardForm } from './dashboard-form.tsx'
import { TileTitle } from './tile-title.tsx'
import { type Arranging, titled } from './use-tiles.ts'

export type Open =
  | { kind: 'add' | 'rename' | 'delete' }
  | { kind: 'title'; tile: ReportTile; reportName: string }
  | undefined

interface BoardDialogsProps {
  dashboard: ReportDashboard
  arranging: Arranging
  open: Open
  onClose(): void
}

function Rename({ dashboard, onClose }: Pick<BoardDialogsProps, 'dashboard' | 'onClose'>) {
  const org = useOrg()
  const client = useQueryClient()
  const { id, name, description } = dashboard
  const save = async (texts: { name: string; description: string }) => {
    client.setQueryData(reportDashboardQuery(org, id).queryKey, await updateReportDashboard(org, id, texts))
    await client.invalidateQueries({ queryKey: reportDashboardsQuery(org).queryKey })
  }
  return (
    <DashboardForm
      place={id}
      title="Rename dashboard"
      before={{ name, description }}
      action="Save name"
      onSave={save}
      onClose={onClose}
    />
  )
}

function Delete({ dashboard, onClose }: Pick<BoardDialogsProps, 'dashboard' | 'onClose'>) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, name, tiles } = dashboard
  const reports =
    tiles.length === 1 ? 'The report on it stays' : `The ${counted(tiles.length, 'report')} on it stay`
  const remove = async () => {
    await deleteReportDashboard(org, id)
    await client.invalidateQueries({ queryKey: reportDashboardsQuery(org).queryKey })
    await navigate({ to: reportPaths.reportDashboards(org) })
    client.removeQueries({ queryKey: reportDashboardQuery(org, id).queryKey })
  }
  return (
    <ConfirmDialog title={`Delete ${name}`} confirm="Delete dashboard" onConfirm={remove} onClose={onClose}>
      <Text>
        The dashboard is deleted for everyone. {tiles.length > 0 && `${reports}, with all of their runs.`}
      </Text>
    </ConfirmDialog>
  )
}

export function BoardDialogs({ dashboard, arranging, open, onClose }: BoardDialogsProps) {
  switch (open?.kind) {
    case 'rename':
      return <Rename dashboard={dashboard} onClose={onClose} />
    case 'delete':
      return <Delete dashboard={dashboard} onClose={onClose} />
    case 'title':
      return (
        <TileTitle
          title={open.tile.title}
          reportName={open.reportName}
          onSave={(title) => arranging.arrange((now) => titled(now, open.tile.id, title))}
          onClose={onClose}
        />
      )
    default:
      return null
  }
}
