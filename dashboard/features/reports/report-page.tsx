// The page of a report: its chart, and next to it its definition, schedules and runs.
import { Button, Tooltip } from '@mantine/core'
import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ChartColumn, Play } from 'lucide-react'
import { EditButton } from '../../shared/edit-button.tsx'
import { StaleNote } from '../../shared/stale-note.tsx'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Page } from '../../ui/page.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import {
  type ReportDetail,
  type ReportRun,
  reportQuery,
  reportRunQuery,
  reportRunsQuery,
} from './api/reports.ts'
import { useReasonNotToChange } from './changes/may-change.ts'
import { ReportMenu } from './changes/report-menu.tsx'
import { DifferenceView } from './difference/difference-view.tsx'
import { reportPaths } from './paths.ts'
import { NotStarted, RunFailed } from './report/failure.tsx'
import classes from './report/report.module.css'
import { DefinitionPart } from './report/report-parts.tsx'
import { RunHistory } from './report/run-history.tsx'
import { latestRun } from './report/run-times.ts'
import { ResultsPending, RunView } from './report/run-view.tsx'
import { type RunNow, useRunNow } from './report/use-run-now.ts'
import { useReportSearch } from './report-search.ts'
import { SchedulePanel } from './schedule/schedule-panel.tsx'
import { Schedules } from './schedule/schedules.tsx'

function RunButton({ runNow }: { runNow: RunNow }) {
  return (
    <Tooltip label="Run now (R)">
      <Button
        className="word-only"
        leftSection={<Play size={14} aria-hidden />}
        loading={runNow.isRunning}
        onClick={runNow.start}
        aria-keyshortcuts="R"
      >
        Run now
      </Button>
    </Tooltip>
  )
}

interface ContentProps {
  report: ReportDetail
  runs: readonly ReportRun[]
  runNow: RunNow
}

/** Shows why a run failed if its result is not on the page: after the shown run, or in a comparison. */
function Notes({ report, runs, runNow }: ContentProps) {
  const [{ run, compare }] = useReportSearch()
  const newest = runs[0]
  const isPassedOver = run === undefined && latestRun(runs) !== newest
  const isHidden = isPassedOver || (compare !== undefined && run === newest?.id)
  return (
    <>
      {runNow.isRunning && (
        <p className="muted small" role="status">
          The report is running, and continues when you leave this page.
        </p>
      )}
      {runNow.error !== undefined && <NotStarted error={runNow.error} onRetry={runNow.start} />}
      {newest?.status === 'failed' && isHidden && (
        <RunFailed reportId={report.id} error={newest.error} onRetry={runNow.start} />
      )}
    </>
  )
}

interface ComparedRunsProps {
  reportId: string
  runIds: readonly [string, string]
}

/** The comparison of two runs, when both are loaded. */
function ComparedRuns({ reportId, runIds }: ComparedRunsProps) {
  const org = useOrg()
  const [, change] = useReportSearch()
  const close = () => change({ compare: undefined })
  const [one, other] = useQueries({ queries: runIds.map((id) => reportRunQuery(org, reportId, id)) })
  const failed = one?.error ? one : other?.error ? other : undefined
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!one?.data || !other?.data) return <ResultsPending />
  return <DifferenceView runs={[one.data, other.data]} onClose={close} />
}

function Content({ report, runs, runNow }: ContentProps) {
  const [{ run, compare }] = useReportSearch()
  const latest = latestRun(runs)?.id
  const shown = run ?? latest
  if (shown === undefined)
    return (
      <EmptyState icon={ChartColumn} title="Not run yet" action={<RunButton runNow={runNow} />}>
        Run it to see its chart. Each run is saved with its results and can be compared with others.
      </EmptyState>
    )
  if (compare !== undefined && compare !== shown)
    return <ComparedRuns reportId={report.id} runIds={[shown, compare]} />
  return <RunView report={report} runId={shown} isLatest={shown === latest} runNow={runNow} />
}

function Aside({ report, runs }: Omit<ContentProps, 'runNow'>) {
  const [{ run, compare }] = useReportSearch()
  const shown = run ?? latestRun(runs)?.id
  // An older run is shown with its definition. A comparison shows the differences of the definitions itself.
  const { data } = useQuery({
    ...reportRunQuery(useOrg(), report.id, run ?? ''),
    enabled: run !== undefined && compare === undefined,
  })
  return (
    <aside className={classes.aside} aria-label="About this report">
      <DefinitionPart
        description={report.description}
        definition={(run !== undefined && compare === undefined && data?.definition) || report.definition}
      />
      <Schedules reportId={report.id} />
      {runs.length > 0 && <RunHistory reportId={report.id} runs={runs} shown={shown} />}
    </aside>
  )
}

function Actions({ report, runNow }: Omit<ContentProps, 'runs'>) {
  const org = useOrg()
  const navigate = useNavigate()
  const reason = useReasonNotToChange()(report)
  useShortcuts([['r', runNow.start]])
  return (
    <>
      <EditButton to={reportPaths.editReport(org, report.id)} reason={reason} />
      <RunButton runNow={runNow} />
      <ReportMenu report={report} onDeleted={() => navigate({ to: reportPaths.reports(org) })} />
    </>
  )
}

function Loaded({ id }: { id: string }) {
  const org = useOrg()
  const { data: report } = useSuspenseQuery(reportQuery(org, id))
  const { data: runs, error } = useSuspenseQuery(reportRunsQuery(org, id))
  const [{ schedule }, change] = useReportSearch()
  const runNow = useRunNow(id)
  return (
    <Page
      title={report.name}
      width="full"
      heading={<Crumbs way={[{ name: 'Reports', to: reportPaths.reports(org) }]} here={report.name} />}
      actions={<Actions report={report} runNow={runNow} />}
    >
      <div className={classes.page}>
        <div className="stack fill gap-16" aria-busy={runNow.isRunning}>
          <StaleNote error={error} />
          <Notes report={report} runs={runs} runNow={runNow} />
          <Content report={report} runs={runs} runNow={runNow} />
        </div>
        <Aside report={report} runs={runs} />
      </div>
      {schedule && (
        <SchedulePanel report={report} onClose={() => change({ schedule: undefined }, { replace: true })} />
      )}
    </Page>
  )
}

export function ReportPage() {
  const { report: id = '' } = useParams({ strict: false }) as { report?: string }
  return <Loaded key={id} id={id} />
}
