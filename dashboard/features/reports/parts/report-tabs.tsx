// The two lists of reports: each alone, and several on one dashboard.
import { Link } from '@tanstack/react-router'
import { paths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import classes from './report-tabs.module.css'

const TABS = [
  ['Reports', paths.reports],
  ['Dashboards', paths.reportDashboards],
] as const

/** Links that look like tabs, below the bar of the page. */
export function ReportTabs() {
  const org = useOrg()
  return (
    <nav className={classes.tabs} aria-label="Reports and dashboards">
      {TABS.map(([name, path]) => (
        <Link
          key={name}
          to={path(org)}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
