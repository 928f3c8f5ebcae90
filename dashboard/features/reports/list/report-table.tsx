// The table of all reports: name, last run and creator.
import { useOrg } from '../../../shared/use-organization.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import type { Report } from '../api/reports.ts'
import { ReportMenu } from '../changes/report-menu.tsx'
import { reportPaths } from '../paths.ts'
import { CREATOR, nameColumn } from './columns.tsx'

export function ReportTable({ reports }: { reports: readonly Report[] }) {
  const org = useOrg()
  const columns: Columns<Report> = [
    nameColumn('Report', (id) => reportPaths.report(org, id)),
    {
      title: 'Last run',
      isFit: true,
      cell: ({ lastRunAt }) =>
        lastRunAt ? <ColumnTime value={lastRunAt} /> : <span className="muted">Never</span>,
    },
    CREATOR,
    { title: 'More', kind: 'actions', cell: (report) => <ReportMenu report={report} /> },
  ]
  return <DataTable label="Reports" columns={columns} rows={reports} />
}
