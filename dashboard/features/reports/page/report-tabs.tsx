// Tabs for the two lists: reports and dashboards.
import { Link } from '@tanstack/react-router'
import { useOrg } from '../../../shared/use-organization.ts'
import { reportPaths } from '../paths.ts'
import classes from './report-tabs.module.css'

const TABS = [
  ['Reports', reportPaths.reports],
  ['Dashboards', reportPaths.reportDashboards],
] as const

/** Links that look like tabs, below the top bar. */
export function ReportTabs() {
  const org = useOrg()
  return (
    <nav className="flex fixed gap-4 strip" style={{ paddingBlock: 0 }} aria-label="Reports and dashboards">
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
