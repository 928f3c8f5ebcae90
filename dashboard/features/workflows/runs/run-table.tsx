// The table of runs. A click anywhere on a line opens the run.
import { useNavigate } from '@tanstack/react-router'
import { capitalized } from '../../../shared/api/errors.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { SecondLine, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { OpenRow } from '../../../ui/data-table/open-row.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import type { WorkflowRun } from '../api/workflow-runs.ts'
import type { Workflow } from '../api/workflows.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { workflowPaths } from '../paths.ts'
import { RunChip } from '../run/run-chip.tsx'
import { durationWords, runDuration, startWords } from '../run-words.ts'

interface RunsOfProps {
  workflow: Pick<Workflow, 'id' | 'name'>
  runs: readonly WorkflowRun[]
}

/** The title of the run without the name of its workflow, which is shown above the list. */
const aboutOf = ({ title }: WorkflowRun, { name }: RunsOfProps['workflow']) =>
  title.startsWith(`${name} – `) ? title.slice(name.length + 3) : title

interface NameProps {
  run: WorkflowRun
  workflow: RunsOfProps['workflow']
  to: string
}

function Name({ run, workflow, to }: NameProps) {
  const { title, status, error } = run
  return (
    <>
      <TitleLink to={to} title={title}>
        {aboutOf(run, workflow)}
      </TitleLink>
      <span className={`${dataTable.narrow} ${dataTable.second}`}>{started(run)}</span>
      {error !== null && (
        <SecondLine title={plainTemplates(error)}>
          <span className={status === 'failed' ? 'danger' : undefined}>
            {capitalized(plainTemplates(error))}
          </span>
        </SecondLine>
      )}
    </>
  )
}

const started = ({ startedAt, createdAt }: WorkflowRun) => <ColumnTime value={startedAt ?? createdAt} />

function durationOf(run: WorkflowRun): string {
  const duration = runDuration(run)
  return duration === undefined ? '' : durationWords(duration)
}

export function RunTable({ workflow, runs }: RunsOfProps) {
  const org = useOrg()
  const navigate = useNavigate()
  const pathOf = ({ id }: WorkflowRun) => workflowPaths.workflowRun(org, workflow.id, id)
  const columns: Columns<WorkflowRun> = [
    { title: 'State', isFit: true, cell: ({ status }) => <RunChip status={status} /> },
    { title: 'Run', kind: 'name', cell: (run) => <Name run={run} workflow={workflow} to={pathOf(run)} /> },
    {
      title: 'Started by',
      isFit: true,
      onlyWide: true,
      cell: ({ triggerEvent }) => startWords(triggerEvent),
    },
    { title: 'Started', isFit: true, onlyWide: true, cell: started },
    { title: 'Duration', kind: 'number', isFit: true, onlyWide: true, cell: durationOf },
  ]
  return (
    <DataTable
      label="Runs, newest first"
      columns={columns}
      rows={runs}
      renderRow={(run, cells) => <OpenRow onOpen={() => void navigate({ to: pathOf(run) })}>{cells}</OpenRow>}
    />
  )
}
