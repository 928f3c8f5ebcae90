// One line for each run; the whole line opens it.
import { Link, useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { capitalized } from '../../../../shared/api/errors.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import type { WorkflowRun } from '../../api/workflow-runs.ts'
import type { Workflow } from '../../api/workflows.ts'
import { workflowPaths } from '../../paths.ts'
import { durationWords, runDuration, startWords } from '../../run-words.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { RunChip } from '../run/run-chip.tsx'

interface RunsOfProps {
  workflow: Pick<Workflow, 'id' | 'name'>
  runs: readonly WorkflowRun[]
}

/** What the run is about: its workflow is named above the list. */
const aboutOf = ({ title }: WorkflowRun, { name }: RunsOfProps['workflow']) =>
  title.startsWith(`${name} – `) ? title.slice(name.length + 3) : title

function Row({ workflow, run }: { workflow: RunsOfProps['workflow']; run: WorkflowRun }) {
  const to = workflowPaths.workflowRun(useOrg(), workflow.id, run.id)
  const navigate = useNavigate()
  const duration = runDuration(run)
  const started = <ColumnMoment value={run.startedAt ?? run.createdAt} />
  const open = ({ target, metaKey, ctrlKey }: MouseEvent) => {
    // The link does it itself, also into a new tab.
    if (!(target as Element).closest('a') && !metaKey && !ctrlKey) void navigate({ to })
  }
  return (
    <tr className="hoverable" style={{ cursor: 'pointer' }} onClick={open}>
      <td className={dataTable.fit}>
        <RunChip status={run.status} />
      </td>
      <th scope="row">
        <Link to={to} className={`${dataTable.titleLink} ${dataTable.cut}`} title={run.title}>
          {aboutOf(run, workflow)}
        </Link>
        <span className={`${dataTable.narrow} ${dataTable.second}`}>{started}</span>
        {run.error !== null && (
          <span
            className={`${dataTable.cut} ${run.status === 'failed' ? 'danger' : 'muted'} tiny`}
            title={plainTemplates(run.error)}
          >
            {capitalized(plainTemplates(run.error))}
          </span>
        )}
      </th>
      <td className={`${dataTable.fit} ${dataTable.wide}`}>{startWords(run.triggerEvent)}</td>
      <td className={`${dataTable.fit} ${dataTable.wide}`}>{started}</td>
      <td className={`${dataTable.fit} ${dataTable.wide}`} data-numeric>
        {duration === undefined ? '' : durationWords(duration)}
      </td>
    </tr>
  )
}

export function RunTable({ workflow, runs }: RunsOfProps) {
  return (
    <table className={dataTable.table}>
      <caption className="visually-hidden">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Run</th>
          <th scope="col" className={dataTable.wide}>
            Started by
          </th>
          <th scope="col" className={dataTable.wide}>
            Started
          </th>
          <th scope="col" className={dataTable.wide} data-numeric>
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} workflow={workflow} run={run} />
        ))}
      </tbody>
    </table>
  )
}
