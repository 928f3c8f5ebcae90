// The runs that this process holds leases on: it executes them concurrently and renews all leases in one statement.
import type { Sql } from 'sql-template-tag'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import { type ClaimedRun, handBack, renewLeases } from './claim-store.ts'
import { type Execution, LostRun, openExecution } from './execution.ts'
import { failRun } from './failed-run.ts'
import { executeRun, type RunnerContext } from './runner.ts'

interface Options {
  ctx: Context
  /** For leases: steps that wait for a lock must not keep them from being renewed. */
  queue: Db
  now: () => Sql
  /** Runs transactions of an organization with a limited number of connections, because requests need the others. */
  transactionOf: (org: number) => Db['transaction']
  stopping: AbortSignal
  aborting: AbortSignal
  onStep: RunnerContext['onStep']
  /** There is room for another run. */
  onRoom: () => void
}

interface Held {
  run: ClaimedRun
  lost: AbortController
  ended: Promise<void>
}

export interface LeaseRegistry {
  readonly size: number
  take(run: ClaimedRun, definition: WorkflowDefinition | undefined): void
  /** Renews all leases, and aborts runs whose lease another process has taken. */
  renew(): Promise<void>
  /** Resolves when no run is held. */
  drained(): Promise<void>
}

const GONE = 'The definition of this run was deleted: start the workflow again.'
const UNREADABLE =
  'This run failed because of an internal error. Check the definition of the workflow, and tell the operator of the service: the log has details under the id of this run.'

function createExecute(options: Options) {
  const { ctx, now } = options
  const runnerOf = (org: number): RunnerContext => ({
    ...{ stopping: options.stopping, onStep: options.onStep, now: now() },
    ctx: { ...ctx, db: ctx.shares.of(org, 'background') },
    transaction: options.transactionOf(org),
  })
  const giveUp = async (run: ClaimedRun, held: Execution['held'] | undefined, err: unknown) => {
    ctx.log.error({ err, run: run.id }, 'a run of a workflow was interrupted')
    const why = { failure: 'internal' as const, error: UNREADABLE }
    await failRun(ctx.db, { ...run, ...held }, why, now())
  }
  return async (run: ClaimedRun, definition: WorkflowDefinition | undefined, signal: AbortSignal) => {
    if (!definition)
      return void (await failRun(ctx.db, run, { failure: 'definition_missing', error: GONE }, now()))
    let execution: Execution | undefined
    try {
      execution = openExecution(run, definition, signal)
      await executeRun(runnerOf(run.org), execution)
    } catch (error) {
      // The worker that claims the run after the lease has expired repeats the unsaved steps.
      if (error instanceof LostRun || isDatabaseUnavailable(error)) return
      if (signal.aborted) return void (await handBack(options.queue, [run], now()))
      await giveUp(run, execution?.held, error)
    }
  }
}

export function createLeaseRegistry(options: Options): LeaseRegistry {
  const { ctx, queue, now, aborting, onRoom } = options
  const held = new Map<string, Held>()
  const execute = createExecute(options)
  return {
    get size() {
      return held.size
    },
    take(run, definition) {
      const lost = new AbortController()
      const signal = AbortSignal.any([lost.signal, aborting])
      const end = (err?: unknown) => {
        if (err)
          ctx.log.error(
            { err, run: run.id },
            'the state of a run could not be saved: it continues when its lease expires',
          )
        if (held.get(run.id)?.lost === lost) held.delete(run.id)
        onRoom()
      }
      const ended = execute(run, definition, signal).then(() => end(), end)
      held.set(run.id, { run, lost, ended })
    },
    async renew() {
      if (held.size === 0) return
      const asked = [...held.values()]
      const kept = new Set(
        (
          await renewLeases(
            queue,
            asked.map(({ run }) => run),
            now(),
          )
        ).map(({ id }) => id),
      )
      for (const { run, lost } of asked) if (!kept.has(run.id)) lost.abort(new LostRun())
    },
    async drained() {
      while (held.size > 0) await Promise.allSettled([...held.values()].map(({ ended }) => ended))
    },
  }
}
