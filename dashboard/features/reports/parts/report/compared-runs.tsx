// The run that is shown beside another one, once both are read.
import { useQueries } from '@tanstack/react-query'
import { ErrorState } from '../../../../shared/state.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { reportRunQuery } from '../../api/reports.ts'
import { useReportSearch } from '../../report-search.ts'
import { DifferenceView } from '../difference/difference-view.tsx'
import { ResultsPending } from './run-view.tsx'

interface ComparedRunsProps {
  reportId: string
  runIds: readonly [string, string]
}

export function ComparedRuns({ reportId, runIds }: ComparedRunsProps) {
  const org = useOrg()
  const [, change] = useReportSearch()
  const close = () => change({ compare: undefined })
  const [one, other] = useQueries({ queries: runIds.map((id) => reportRunQuery(org, reportId, id)) })
  const failed = one?.error ? one : other?.error ? other : undefined
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!one?.data || !other?.data) return <ResultsPending />
  return <DifferenceView runs={[one.data, other.data]} onClose={close} />
}
