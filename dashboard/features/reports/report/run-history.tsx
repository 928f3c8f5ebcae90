// The stored runs, newest first. Each can be opened and compared with the shown run.
import { ActionIcon, Box, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleX, GitCompareArrows, LoaderCircle } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { REPORT_RUNS_KEPT } from '../../../../contract/report-states.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { ColumnTime } from '../../../ui/time.tsx'
import { reportWorkflowsQuery } from '../../workflows/api/workflows.ts'
import { workflowPaths } from '../../workflows/paths.ts'
import type { ReportRun } from '../api/reports.ts'
import { reportPaths } from '../paths.ts'
import { useReportSearch } from '../report-search.ts'
import { exactTime, longTime, runTook } from './run-times.ts'

interface Starter {
  name: string
  /** Address of the workflow run. */
  to: string
}

/** The workflows that started runs, by run id. */
function useStarters(reportId: string): ReadonlyMap<string, Starter> {
  const org = useOrg()
  const { data: workflows = [] } = useQuery(reportWorkflowsQuery(org, reportId))
  return new Map(
    workflows.flatMap(({ id, name, runs }) =>
      runs.map((run) => [run.reportRunId, { name, to: workflowPaths.workflowRun(org, id, run.id) }]),
    ),
  )
}

function outcomeWords(run: ReportRun): string {
  if (run.status === 'running') return 'Running'
  const outcome = run.status === 'failed' ? 'Failed' : counted(run.resultCount, 'row')
  return [outcome, longTime(runTook(run))].filter(Boolean).join(' · ')
}

function Mark({ status }: Pick<ReportRun, 'status'>) {
  if (status === 'failed') return <CircleX size={14} aria-hidden className="danger" />
  if (status === 'running') return <LoaderCircle size={14} aria-hidden className="accent" />
  return null
}

interface ItemProps {
  run: ReportRun
  shown: string | undefined
  compared: string | undefined
  starter: Starter | undefined
  /** Whether the shown run has results to compare with. */
  isComparable: boolean
}

function Compare({ run }: { run: ReportRun }) {
  const [, change] = useReportSearch()
  return (
    <Tooltip label="Compare with the run that is shown">
      <ActionIcon
        aria-label={`Compare with the run of ${exactTime(run.startedAt)}`}
        onClick={() => change({ compare: run.id })}
      >
        <GitCompareArrows size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Item({ run, shown, compared, starter, isComparable }: ItemProps) {
  const org = useOrg()
  const isShown = run.id === shown
  return (
    <Box
      component="li"
      className="row between gap-8 rounded hoverable"
      px={8}
      py={4}
      mih={44}
      data-current={isShown || undefined}
      style={run.id === compared ? { boxShadow: 'inset 2px 0 0 var(--accent)' } : undefined}
    >
      <div className="stack shrink muted tiny">
        <Link
          to={reportPaths.report(org, run.reportId)}
          search={{ run: run.id } as never}
          className="inline gap-6 small plain underlined"
          aria-current={isShown ? 'true' : undefined}
          resetScroll={false}
        >
          <Mark status={run.status} />
          <ColumnTime value={run.startedAt} />
        </Link>
        <span>{outcomeWords(run)}</span>
        {starter && (
          <Link to={starter.to} className="truncate muted" title={`By the workflow ${starter.name}`}>
            By {starter.name}
          </Link>
        )}
      </div>
      {!isShown && isComparable && run.status === 'completed' && <Compare run={run} />}
    </Box>
  )
}

interface RunHistoryProps {
  reportId: string
  runs: readonly ReportRun[]
  /** Id of the run whose results are shown. */
  shown: string | undefined
}

export function RunHistory({ reportId, runs, shown }: RunHistoryProps) {
  const [{ compare }] = useReportSearch()
  const starters = useStarters(reportId)
  const isComparable = runs.find(({ id }) => id === shown)?.status === 'completed'
  return (
    <section className="stack shrink gap-8" aria-label="Runs">
      <h2 className="small">Runs</h2>
      <Box component="ol" className="stack gap-2" mx={-8}>
        {runs.map((run) => (
          <Item
            key={run.id}
            {...{ run, shown, isComparable }}
            compared={compare}
            starter={starters.get(run.id)}
          />
        ))}
      </Box>
      {runs.length === REPORT_RUNS_KEPT && (
        <p className="muted tiny">The last {REPORT_RUNS_KEPT} runs are kept.</p>
      )}
    </section>
  )
}
