// All reports: what each asks, when it was last run, and who made it.
import { Link } from '@tanstack/react-router'
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table.module.css'
import { Moment } from '../../../../ui/time.tsx'
import type { Report } from '../../api/reports.ts'
import { reportPaths } from '../../paths.ts'
import { ReportMenu } from '../changes/report-menu.tsx'
import classes from './list.module.css'

function Row({ report }: { report: Report }) {
  const { id, name, description, lastRunAt, creator } = report
  return (
    <tr className={classes.row}>
      <th scope="row">
        <Link
          to={reportPaths.report(useOrg(), id)}
          className={`${dataTable.titleLink} ${dataTable.cut}`}
          title={name}
        >
          {name}
        </Link>
        {description && (
          <span className={`${dataTable.cut} ${dataTable.second}`} title={description}>
            {description}
          </span>
        )}
      </th>
      <td className={classes.moment}>
        {lastRunAt ? <Moment value={lastRunAt} /> : <span className="muted">Never</span>}
      </td>
      <td className={`${classes.creator} ${dataTable.wide}`}>
        <span className={dataTable.cut} title={creator.email}>
          {creator.name}
        </span>
      </td>
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
