// Executes workflows: creates runs for events and schedules, leases due runs and executes them step by step.
import sql, { type Sql } from 'sql-template-tag'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { createKeyedSemaphore, withPlace } from '../../base/keyed-semaphore.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import {
  type ClaimRoom,
  type Engine,
  type LeasedItems,
  LeasedQueue,
  type LeasedWork,
} from '../../jobs/leased-queue.ts'
import { createStop } from '../../jobs/stop.ts'
import type { WorkflowContext } from '../context.ts'
import { createTriggers } from '../triggers/consumer.ts'
import { startDueSchedules } from '../triggers/due.ts'
import {
  type ClaimedRun,
  claimOrganizations,
  claimRuns,
  handBack,
  RUN_LEASE_SECONDS,
  renewLeases,
} from './claim-store.ts'
import { loadDefinitions } from './definitions.ts'
import { type Execution, LostRun, openExecution } from './execution.ts'
import { failRun } from './failed-run.ts'
import { executeRun, type RunnerContext } from './runner.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  /** A monotonic clock in ms that runs like `now`. */
  monotonic?: () => number
  /**
   * The pool for claims and leases; by default the pool of the context. Steps that wait for a lock must not prevent the
   * renewal of leases.
   */
  queue?: Db
  /** Called for every performed step. */
  onStep?: (type: string, status: 'completed' | 'failed') => void
}

/**
 * Each run keeps its values in memory. Runs that wait for another service use nothing else. A single organization can
 * use a third.
 */
const RUNS_MAX = 60
const ORGS_AT_ONCE = 20
const RENEW_MS = (RUN_LEASE_SECONDS * 1000) / 4
const databaseNow = () => sql`now()`
/**
 * The time in the ids of runs that events start. The start of the transaction would be too early: while it waited for a
 * transaction of another node, earlier runs may have been cancelled by their ids.
 */
const statementNow = () => sql`statement_timestamp()`

const NOTHING_CLAIMED = { runs: [], stopped: 0 }

interface ExecuteOptions extends Pick<RunnerContext, 'stopping' | 'onStep'> {
  ctx: WorkflowContext
  /** The pool for leases. */
  db: Db
  now: () => Sql
  monotonic: () => number
  /** Runs transactions of an organization with a limited number of connections, because requests need the others. */
  transactionOf: (org: number) => Db['transaction']
}

interface ReadyRun extends ClaimedRun {
  /** undefined: the definition was deleted. */
  definition: WorkflowDefinition | undefined
}

const DELETED = 'The definition of this run was deleted: start the workflow again.'
const UNREADABLE =
  'This run failed because of an internal error. Check the definition of the workflow, and tell the operator of the service: the log has details under the id of this run.'

/**
 * Executes a leased run until it ends, waits or is handed back.
 * @returns a function that rejects when the state of the run could not be saved
 */
function createExecute({ ctx, db, now, monotonic, transactionOf, stopping, onStep }: ExecuteOptions) {
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
      return void (await failRun(ctx.db, run, { failure: 'definition_missing', error: DELETED }, now()))
    let execution: Execution | undefined
    try {
      execution = openExecution(run, run.definition, { signal, monotonic })
      await executeRun(runnerOf(run.org), execution)
    } catch (error) {
      // After the lease expires, another worker claims the run and repeats the unsaved steps.
      if (error instanceof LostRun || isDatabaseUnavailable(error)) return
      if (signal.aborted) return void (await handBack(db, [run], now()))
      await giveUp(run, execution?.held, error)
    }
  }
}

/** Serves organizations in turn: each claim starts after the organizations of the previous claim. */
function createClaim(db: Db, now: () => Sql): (room: ClaimRoom) => Promise<LeasedItems<ReadyRun>> {
  let served = 0
  return async ({ limit }) => {
    const after = served
    const { orgs, runs, stopped } = await db.transaction(async (tx) => {
      const waiting = await claimOrganizations(tx, { after, limit: ORGS_AT_ONCE, now: now() })
      const orgs = waiting.filter(({ isOurs }) => isOurs).map(({ org }) => org)
      const claimed =
        orgs.length === 0 ? NOTHING_CLAIMED : await claimRuns(tx, { orgs, room: limit, now: now() })
      return { orgs: waiting.map(({ org }) => org), ...claimed }
    })
    const definitionOf = await loadDefinitions(db, runs)
    // After the last organization, the next claim starts with the first again. `hasMore` makes it run without a pause.
    served = orgs.length < ORGS_AT_ONCE ? 0 : Math.max(...orgs)
    return {
      items: runs.map((run) => ({ ...run, definition: definitionOf(run) })),
      hasMore: stopped > 0 || after > 0,
    }
  }
}

/** @returns the runs that another process has taken, or that were cancelled */
async function renewAll(db: Db, runs: readonly ReadyRun[], now: Sql): Promise<ReadyRun[]> {
  const kept = new Map((await renewLeases(db, runs, now)).map(({ id, fence }) => [id, fence]))
  return runs.filter(({ id, fence }) => kept.get(id) !== fence)
}

/** Wakes the queue after a round that created runs. */
const making = (round: () => Promise<boolean>) => async (queue: { wake(): void }) => {
  const hasMore = await round()
  if (hasMore) queue.wake()
  return hasMore
}

const halfOf = (connections: number) => Math.max(1, Math.floor(connections / 2))

/** Steps can use half of the connections, and half of those of their organization; requests need the others. */
function transactionsOf({ shares, config }: WorkflowContext): (org: number) => Db['transaction'] {
  const semaphore = createKeyedSemaphore<number>({
    places: halfOf(config.poolSize),
    perKey: halfOf(config.connectionsPerOrganization),
  })
  return (org) => (work) => withPlace(semaphore, org, () => shares.of(org, 'background').transaction(work))
}

export function createWorkflowEngine(
  ctx: WorkflowContext,
  {
    now: given,
    monotonic = () => performance.now(),
    queue: db = ctx.db,
    onStep = () => undefined,
  }: Options = {},
): Engine {
  const now = given ?? databaseNow
  const stop = createStop()
  const transactionOf = transactionsOf(ctx)
  const execute = createExecute({ ctx, db, now, monotonic, transactionOf, onStep, stopping: stop.stopping })
  const trigger = createTriggers({ ctx, queue: db, now: given ?? statementNow })
  const schedule = () => startDueSchedules({ ctx, queue: db, now: now() })
  return new LeasedQueue<ReadyRun, LeasedWork>(ctx, {
    name: 'workflows',
    ...{ max: RUNS_MAX, stop },
    claim: createClaim(db, now),
    keyOf: ({ id }) => id,
    start: (run, lost) => ({ ended: execute(run, AbortSignal.any([lost, stop.aborting])) }),
    onError: (err, { id }) =>
      ctx.log.error(
        { err, run: id },
        'the state of a run could not be saved: it continues when its lease expires',
      ),
    renew: { everyMs: RENEW_MS, all: (runs) => renewAll(db, runs, now()) },
    producers: [{ round: making(trigger), consumer: 'workflows' }, { round: making(schedule) }],
  })
}
