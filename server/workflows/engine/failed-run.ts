// Ends runs that cannot be executed, with an error.
import type { Sql } from 'sql-template-tag'
import type { RunFailure } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { recordEvent } from '../../events/outbox.ts'
import type { ClaimedRun } from './claim-store.ts'
import { endWaitingSteps, wakeNext } from './end-store.ts'
import type { NewRun } from './new-runs-store.ts'
import { saveEnd } from './save-store.ts'

interface Why {
  failure: RunFailure
  error: string
}

interface ReportedRun {
  org: number
  id: string
  workflow: string
  workflowName: string
  triggerEvent: string
  userId: string | null
}

/** Records the same event as for an executed run. */
export const reportEnd = (
  tx: Db,
  run: ReportedRun,
  { error }: Why,
  times: { startedAt: string; completedAt: string },
) =>
  recordEvent(
    tx,
    { org: run.org, userId: run.userId, keyId: null, run: run.id, workflow: run.workflow },
    {
      type: 'workflow.failed',
      subject: run.id,
      data: {
        workflowId: run.workflow,
        workflowName: run.workflowName,
        runId: run.id,
        status: 'failed',
        triggerEvent: run.triggerEvent,
        error,
        ...times,
      },
    },
  )

/** Ends a claimed run at its current position. @returns false if the lease was lost */
export const failRun = (db: Db, run: ClaimedRun, why: Why, now: Sql): Promise<boolean> =>
  db.transaction(async (tx) => {
    const standing = { position: run.position, executed: run.executed, values: [], history: [] }
    const times = await saveEnd(tx, run, { ...standing, status: 'failed', ...why, now })
    if (!times) return false
    await reportEnd(tx, run, why, times)
    await endWaitingSteps(tx, { org: run.org, ids: [run.id] })
    await wakeNext(tx, run, now)
    return true
  })

/** Records the event of the end for runs that failed before they started. */
export async function reportNotStarted(
  tx: Db,
  runs: readonly (NewRun & { workflowName: string })[],
  at: string,
): Promise<void> {
  for (const run of runs)
    if (run.status === 'failed' && run.failure !== null)
      await reportEnd(
        tx,
        { ...run, userId: null },
        { failure: run.failure, error: run.error ?? '' },
        { startedAt: at, completedAt: at },
      )
}
