// All dashboards of reports.
import { counted } from '../../../../contract/counted.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import type { ReportDashboardItem } from '../api/report-dashboards.ts'
import { CREATOR, nameColumn } from '../list/columns.tsx'
import { reportPaths } from '../paths.ts'

export function DashboardTable({ dashboards }: { dashboards: readonly ReportDashboardItem[] }) {
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
