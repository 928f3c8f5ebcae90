// A run: its chart, and the table below it.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoaderCircle, Pencil } from 'lucide-react'
import { EmptyState, ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { type ReportDetail, type ReportRunWithResults, reportRunQuery } from '../api/reports.ts'
import { isDrawn } from '../chart/chart-data.ts'
import { ReportChart } from '../chart/report-chart.tsx'
import { ResultTable } from '../chart/result-table.tsx'
import { reportPaths } from '../paths.ts'
import { asksTheSame } from '../words/asks-the-same.ts'
import { RunFailed } from './failure.tsx'
import { RunFacts } from './run-facts.tsx'
import type { RunNow } from './use-run-now.ts'

/** A placeholder with the shape of facts, chart and table. */
export function ResultsPending() {
  return (
    <div aria-busy="true" className="stack shrink gap-16">
      <Skeleton height={20} width={240} />
      <Skeleton height={300} />
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} height={16} />
      ))}
    </div>
  )
}

function ChangedSince({ report, run }: { report: ReportDetail; run: ReportRunWithResults }) {
  if (asksTheSame(report.definition, run.definition)) return null
  return (
    <p className="note" role="note">
      <Pencil className="muted" size={14} aria-hidden />
      The report was changed after this run. The run is shown with its own definition.
    </p>
  )
}

function Results({
  run,
  isLatest,
  report,
}: {
  run: ReportRunWithResults
  isLatest: boolean
  report: ReportDetail
}) {
  const { definition, results } = run
  if (!results) return null
  // If only the chart has changed since, the results are drawn with the current chart.
  const isSame = asksTheSame(report.definition, definition)
  const drawn = isSame ? report.definition : definition
  return (
    <div className="stack shrink gap-16">
      <RunFacts run={run} isLatest={isLatest} />
      <ChangedSince report={report} run={run} />
      <ReportChart definition={drawn} results={results} />
      {isDrawn(drawn, results) && <ResultTable definition={drawn} results={results} />}
    </div>
  )
}

interface RunViewProps {
  report: ReportDetail
  runId: string
  isLatest: boolean
  runNow: RunNow
}

export function RunView({ report, runId, isLatest, runNow }: RunViewProps) {
  const org = useOrg()
  const { data: run, error, refetch } = useQuery(reportRunQuery(org, report.id, runId))
  const toLatest = (
    <Link to={reportPaths.report(org, report.id)} className="accent small">
      Show the last run
    </Link>
  )
  if (!run && error) return <ErrorState error={error} onRetry={() => void refetch()} action={toLatest} />
  if (!run) return <ResultsPending />
  if (run.status === 'running')
    return (
      <EmptyState icon={LoaderCircle} title="Still running">
        The results appear here when the run has finished, within half a minute.
      </EmptyState>
    )
  if (run.status === 'failed')
    return <RunFailed reportId={report.id} error={run.error} onRetry={runNow.start} />
  return <Results report={report} run={run} isLatest={isLatest} />
}
