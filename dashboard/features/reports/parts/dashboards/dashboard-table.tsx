// All dashboards of reports.
import { Link } from '@tanstack/react-router'
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table.module.css'
import { Moment } from '../../../../ui/time.tsx'
import type { ReportDashboardItem } from '../../api/report-dashboards.ts'
import { reportPaths } from '../../paths.ts'
import classes from '../list/list.module.css'

function Row({ dashboard }: { dashboard: ReportDashboardItem }) {
  const { id, name, description, tileCount, updatedAt, creator } = dashboard
  return (
    <tr className={classes.row}>
      <th scope="row">
        <Link
          to={reportPaths.reportDashboard(useOrg(), id)}
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
      <td className={classes.moment}>{tileCount === 1 ? '1 report' : `${tileCount} reports`}</td>
      <td className={`${classes.moment} ${dataTable.wide}`}>
        <Moment value={updatedAt} />
      </td>
      <td className={`${classes.creator} ${dataTable.wide}`}>
        <span className={dataTable.cut} title={creator.email}>
          {creator.name}
        </span>
      </td>
    </tr>
  )
}

export function DashboardTable({ dashboards }: { dashboards: readonly ReportDashboardItem[] }) {
  return (
    <table className={dataTable.table}>
      <caption className="visually-hidden">Dashboards</caption>
      <thead>
        <tr>
          <th scope="col">Dashboard</th>
          <th scope="col">Shows</th>
          <th scope="col" className={dataTable.wide}>
            Changed
          </th>
          <th scope="col" className={dataTable.wide}>
            Created by
          </th>
        </tr>
      </thead>
      <tbody>
        {dashboards.map((dashboard) => (
          <Row key={dashboard.id} dashboard={dashboard} />
        ))}
      </tbody>
    </table>
  )
}
