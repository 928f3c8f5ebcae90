// One line for each run; the whole line opens it.
import { Link, useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useOrg } from '../../../../shared/use-organization.ts'
import settings from '../../../../ui/settings.module.css'
import { Moment } from '../../../../ui/time.tsx'
import type { WorkflowRun } from '../../api/workflow-runs.ts'
import { workflowPaths } from '../../paths.ts'
import { durationWords, runDuration, startWords } from '../../run-words.ts'
import { RunChip } from '../run/run-chip.tsx'
import classes from './runs.module.css'

function Row({ workflowId, run }: { workflowId: string; run: WorkflowRun }) {
  const to = workflowPaths.workflowRun(useOrg(), workflowId, run.id)
  const navigate = useNavigate()
  const duration = runDuration(run)
  const open = ({ target, metaKey, ctrlKey }: MouseEvent) => {
    // The link does it itself, also into a new tab.
    if (!(target as Element).closest('a') && !metaKey && !ctrlKey) void navigate({ to })
  }
  return (
    <tr className={classes.row} onClick={open}>
      <td className={settings.fit}>
        <RunChip status={run.status} />
      </td>
      <th scope="row">
        <Link to={to} className={`${settings.titleLink} ${settings.cut}`} title={run.title}>
          {run.title}
        </Link>
        {run.error !== null && (
          <span className={`${settings.cut} ${classes.error}`} title={run.error}>
            {run.error}
          </span>
        )}
      </th>
      <td className={`${settings.fit} ${settings.wide}`}>{startWords(run.triggerEvent)}</td>
      <td className={settings.fit}>
        <Moment value={run.startedAt ?? run.createdAt} />
      </td>
      <td className={`${settings.fit} ${settings.wide}`} data-numeric>
        {duration === undefined ? '' : durationWords(duration)}
      </td>
    </tr>
  )
}

export function RunTable({ workflowId, runs }: { workflowId: string; runs: readonly WorkflowRun[] }) {
  return (
    <table className={settings.table}>
      <caption className="visually-hidden">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Run</th>
          <th scope="col" className={settings.wide}>
            Started by
          </th>
          <th scope="col">Started</th>
          <th scope="col" className={settings.wide} data-numeric>
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} workflowId={workflowId} run={run} />
        ))}
      </tbody>
    </table>
  )
}
