// All dashboards of reports.
import { counted } from '../../../../../contract/counted.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import type { ReportDashboardItem } from '../../api/report-dashboards.ts'
import { reportPaths } from '../../paths.ts'
import { CreatorCell, NameCell } from '../list/cells.tsx'

function Row({ dashboard }: { dashboard: ReportDashboardItem }) {
  const { id, name, description, tileCount, updatedAt, creator } = dashboard
  return (
    <tr>
      <NameCell to={reportPaths.reportDashboard(useOrg(), id)} name={name} description={description} />
      <td className={dataTable.fit}>{counted(tileCount, 'report')}</td>
      <td className={`${dataTable.fit} ${dataTable.wide}`}>
        <ColumnMoment value={updatedAt} />
      </td>
      <CreatorCell creator={creator} />
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
