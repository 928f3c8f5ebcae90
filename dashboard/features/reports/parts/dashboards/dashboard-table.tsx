// All dashboards of reports.
import { Link } from '@tanstack/react-router'
import { useOrg } from '../../../../shared/use-organization.ts'
import settings from '../../../../ui/settings.module.css'
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
          className={`${settings.titleLink} ${settings.cut}`}
          title={name}
        >
          {name}
        </Link>
        {description && (
          <span className={`${settings.cut} ${settings.second}`} title={description}>
            {description}
          </span>
        )}
      </th>
      <td className={classes.moment}>{tileCount === 1 ? '1 report' : `${tileCount} reports`}</td>
      <td className={`${classes.moment} ${settings.wide}`}>
        <Moment value={updatedAt} />
      </td>
      <td className={`${classes.creator} ${settings.wide}`}>
        <span className={settings.cut} title={creator.email}>
          {creator.name}
        </span>
      </td>
    </tr>
  )
}

export function DashboardTable({ dashboards }: { dashboards: readonly ReportDashboardItem[] }) {
  return (
    <table className={settings.table}>
      <caption className="visually-hidden">Dashboards</caption>
      <thead>
        <tr>
          <th scope="col">Dashboard</th>
          <th scope="col">Shows</th>
          <th scope="col" className={settings.wide}>
            Changed
          </th>
          <th scope="col" className={settings.wide}>
            Made by
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
