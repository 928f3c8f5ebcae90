// All reports: what each asks, when it was last run, and who made it.
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import type { Report } from '../../api/reports.ts'
import { reportPaths } from '../../paths.ts'
import { ReportMenu } from '../changes/report-menu.tsx'
import { CreatorCell, NameCell } from './cells.tsx'

function Row({ report }: { report: Report }) {
  const { id, name, description, lastRunAt, creator } = report
  return (
    <tr>
      <NameCell to={reportPaths.report(useOrg(), id)} name={name} description={description} />
      <td className={dataTable.fit}>
        {lastRunAt ? <ColumnMoment value={lastRunAt} /> : <span className="muted">Never</span>}
      </td>
      <CreatorCell creator={creator} />
      <td className={dataTable.rowAction}>
        <ReportMenu report={report} />
      </td>
    </tr>
  )
}

export function ReportTable({ reports }: { reports: readonly Report[] }) {
  return (
    <table className={dataTable.table}>
      <caption className="visually-hidden">Reports</caption>
      <thead>
        <tr>
          <th scope="col">Report</th>
          <th scope="col">Last run</th>
          <th scope="col" className={dataTable.wide}>
            Created by
          </th>
          <th scope="col">
            <span className="visually-hidden">More</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <Row key={report.id} report={report} />
        ))}
      </tbody>
    </table>
  )
}
