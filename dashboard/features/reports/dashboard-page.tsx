// A dashboard: reports on a grid, which the user arranges.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useOrg } from '../../shared/use-organization.ts'
import { reportDashboardQuery } from './api/report-dashboards.ts'
import { Board } from './dashboards/board.tsx'

export function DashboardPage() {
  const { dashboard: id = '' } = useParams({ strict: false }) as { dashboard?: string }
  const { data } = useSuspenseQuery(reportDashboardQuery(useOrg(), id))
  return <Board key={data.id} dashboard={data} />
}
