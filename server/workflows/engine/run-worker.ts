// Executes a leased run until it ends, waits or is handed back.
import type { Sql } from 'sql-template-tag'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import type { WorkflowContext } from '../context.ts'
import { type ClaimedRun, handBack } from './claim-store.ts'
import { type Execution, LostRun, openExecution } from './execution.ts'
import { failRun } from './failed-run.ts'
import { executeRun, type RunnerContext } from './runner.ts'

interface Options extends Pick<RunnerContext, 'stopping' | 'onStep'> {
  ctx: WorkflowContext
  /** For leases. */
  db: Db
  now: () => Sql
  /** Runs transactions of an organization with a limited number of connections, because requests need the others. */
  transactionOf: (org: number) => Db['transaction']
}

export interface ReadyRun extends ClaimedRun {
  /** undefined: it was deleted. */
  definition: WorkflowDefinition | undefined
}

const GONE = 'The definition of this run was deleted: start the workflow again.'
const UNREADABLE =
  'This run failed because of an internal error. Check the definition of the workflow, and tell the operator of the service: the log has details under the id of this run.'

/** @returns a function that rejects when the state of the run could not be saved */
export function createExecute({ ctx, db, now, transactionOf, stopping, onStep }: Options) {
  const runnerOf = (org: number): RunnerContext => ({
    ...{ stopping, onStep, now: now() },
    ctx: { ...ctx, db: ctx.shares.of(org, 'background') },
    transaction: transactionOf(org),
  })
  const giveUp = async (run: ReadyRun, held: Execution['held'] | undefined, err: unknown) => {
    ctx.log.error({ err, run: run.id }, 'a run of a workflow was interrupted')
    const why = { failure: 'internal' as const, error: UNREADABLE }
    await failRun(ctx.db, { ...run, ...held }, why, now())
  }
  return async (run: ReadyRun, signal: AbortSignal): Promise<void> => {
    if (!run.definition)
      return void (await failRun(ctx.db, run, { failure: 'definition_missing', error: GONE }, now()))
    let execution: Execution | undefined
    try {
      execution = openExecution(run, run.definition, signal)
      await executeRun(runnerOf(run.org), execution)
    } catch (error) {
      // The worker that claims the run after the lease has expired repeats the unsaved steps.
      if (error instanceof LostRun || isDatabaseUnavailable(error)) return
      if (signal.aborted) return void (await handBack(db, [run], now()))
      await giveUp(run, execution?.held, error)
    }
  }
}
