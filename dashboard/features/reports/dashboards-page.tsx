// Dashboards: several reports on one page.
import { Button, Tooltip } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import type { Columns } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { ColumnTime } from '../../ui/time.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import {
  createReportDashboard,
  type ReportDashboardItem,
  reportDashboardQuery,
  reportDashboardsQuery,
} from './api/report-dashboards.ts'
import { DashboardForm } from './dashboards/dashboard-form.tsx'
import { CREATOR, nameColumn } from './list/columns.tsx'
import { ReportTabs } from './page/report-tabs.tsx'
import { reportPaths } from './paths.ts'

function DashboardTable({ dashboards }: { dashboards: readonly ReportDashboardItem[] }) {
  const org = useOrg()
  const columns: Columns<ReportDashboardItem> = [
    nameColumn('Dashboard', (id) => reportPaths.reportDashboard(org, id)),
    { title: 'Shows', isFit: true, cell: ({ tileCount }) => counted(tileCount, 'report') },
    {
      title: 'Changed',
      isFit: true,
      onlyWide: true,
      cell: ({ updatedAt }) => <ColumnTime value={updatedAt} />,
    },
    CREATOR,
  ]
  return <DataTable label="Dashboards" columns={columns} rows={dashboards} />
}

function NewDashboard({ onClose }: { onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = async (texts: { name: string; description: string }) => {
    const made = await createReportDashboard(org, texts)
    client.setQueryData(reportDashboardQuery(org, made.id).queryKey, made)
    await client.invalidateQueries({ queryKey: reportDashboardsQuery(org).queryKey })
    await navigate({ to: reportPaths.reportDashboard(org, made.id) })
  }
  return (
    <DashboardForm
      place="new"
      title="New dashboard"
      before={{ name: '', description: '' }}
      action="Create dashboard"
      onSave={create}
      onClose={onClose}
    />
  )
}

export function DashboardsPage() {
  const { data: dashboards } = useSuspenseQuery(reportDashboardsQuery(useOrg()))
  const [isNew, setNew] = useState(false)
  const open = () => setNew(true)
  useShortcuts([['c', open]])
  const button = (
    <Tooltip label="Create dashboard (C)">
      <Button leftSection={<Plus size={14} aria-hidden />} onClick={open} aria-keyshortcuts="C">
        Create dashboard
      </Button>
    </Tooltip>
  )
  return (
    <Page title="Dashboards" width="full" actions={dashboards.length > 0 && button}>
      <ReportTabs />
      <div className="stack grow gap-16 listing">
        {dashboards.length > 0 ? (
          <DashboardTable dashboards={dashboards} />
        ) : (
          <EmptyState icon={LayoutDashboard} title="No dashboards yet" action={button}>
            A dashboard shows several reports side by side, in the size and order you like, and refreshes them
            when you ask.
          </EmptyState>
        )}
      </div>
      {isNew && <NewDashboard onClose={() => setNew(false)} />}
    </Page>
  )
}
