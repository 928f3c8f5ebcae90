// Executes workflows: creates runs for events and schedules, leases due runs and executes them step by step. All
// state is in the database, so any other process can continue after a kill.
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { createKeyedSemaphore, withPlace } from '../../keyed-semaphore.ts'
import { createTriggers } from '../triggers/consumer.ts'
import { startDueSchedules } from '../triggers/due.ts'
import { claimOrganizations, claimRuns, LEASE_SECONDS } from './claim-store.ts'
import { loadDefinitions } from './definitions.ts'
import { createLeaseRegistry, type LeaseRegistry } from './lease-registry.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  /** For claims and leases; the context's own by default. */
  queue?: Db
  /** Called for every performed step. */
  onStep?: (type: string, status: 'completed' | 'failed') => void
}

export interface WorkflowEngine {
  /** Does all due work, and the work that follows from it; for tests. */
  drain(): Promise<void>
  /** Works until stopped. */
  start(): void
  /** Releases runs after their current step; waits at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const POLL_MS = 100
/**
 * Each run holds its values in memory, and runs that wait for another service need nothing else. A single
 * organization can use a third.
 */
const RUNS_MAX = 60
const ORGS_AT_ONCE = 20
const RENEW_MS = (LEASE_SECONDS * 1000) / 4
const databaseNow = () => sql`now()`
/**
 * For runs of events: their ids are made of it. The transaction may have begun long before, and waited for that of another
 * node, while earlier runs were cancelled by their ids.
 */
const statementNow = () => sql`statement_timestamp()`

interface Work {
  /** One transaction. @returns whether there may be more */
  trigger(): Promise<boolean>
  schedule(): Promise<boolean>
  /** Claims due runs and starts them. @returns whether there were any, or others may follow */
  claim(): Promise<boolean>
  registry: LeaseRegistry
}

const NOTHING_CLAIMED = { runs: [], stopped: 0 }

function createClaim(queue: Db, registry: LeaseRegistry, now: () => Sql): () => Promise<boolean> {
  let served = 0
  return async () => {
    const room = RUNS_MAX - registry.size
    if (room <= 0) return false
    const after = served
    const { orgs, runs, stopped } = await queue.transaction(async (tx) => {
      const waiting = await claimOrganizations(tx, { after, limit: ORGS_AT_ONCE, now: now() })
      const orgs = waiting.filter(({ isOurs }) => isOurs).map(({ org }) => org)
      const claimed = orgs.length === 0 ? NOTHING_CLAIMED : await claimRuns(tx, { orgs, room, now: now() })
      return { orgs: waiting.map(({ org }) => org), ...claimed }
    })
    const definitions = await loadDefinitions(queue, runs)
    for (const run of runs) registry.take(run, definitions(run))
    // After the last organization it starts again with the first, once without a pause.
    served = orgs.length < ORGS_AT_ONCE ? 0 : Math.max(...orgs)
    return runs.length > 0 || stopped > 0 || after > 0
  }
}

/** Ends when nothing is due any more. */
async function drain({ trigger, schedule, claim, registry }: Work): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const triggered = await trigger()
    const scheduled = await schedule()
    const claimed = await claim()
    await registry.drained()
    isBusy = triggered || scheduled || claimed
  }
}

interface Loops {
  wakeClaim(): void
  stop(): Promise<void>
}

function startLoops(ctx: Context, work: Work): Loops {
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'workflows had an error and continue')
  const claiming = startLoop({ round: work.claim, pollMs: POLL_MS, onError })
  /** Notifies the workers that claim runs of new runs. */
  const making = (round: () => Promise<boolean>): Loop => {
    const andTell = async () => {
      const hasMore = await round()
      if (hasMore) claiming.wake()
      return hasMore
    }
    return startLoop({ round: andTell, pollMs: POLL_MS, onError })
  }
  const triggering = making(work.trigger)
  const scheduling = making(work.schedule)
  const renewing = setInterval(() => void work.registry.renew().catch(onError), RENEW_MS)
  const forget = ctx.wake.listen({ workflows: () => triggering.wake(), work: () => claiming.wake() })
  return {
    wakeClaim: () => claiming.wake(),
    async stop() {
      forget()
      await Promise.all([triggering.stop(), scheduling.stop(), claiming.stop()])
      await work.registry.drained()
      clearInterval(renewing)
    },
  }
}

const halfOf = (connections: number) => Math.max(1, Math.floor(connections / 2))

/** Steps can use half of the connections, and half of those of their organization; requests need the others. */
function transactionsOf({ shares, config }: Context): (org: number) => Db['transaction'] {
  const semaphore = createKeyedSemaphore<number>({
    places: halfOf(config.poolSize),
    perKey: halfOf(config.connectionsPerOrganization),
  })
  return (org) => (work) => withPlace(semaphore, org, () => shares.of(org, 'background').transaction(work))
}

export function createWorkflowEngine(
  ctx: Context,
  { now: given, queue = ctx.db, onStep = () => undefined }: Options = {},
): WorkflowEngine {
  const now = given ?? databaseNow
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  let loops: Loops | undefined
  const registry = createLeaseRegistry({
    ...{ ctx, queue, now, onStep, transactionOf: transactionsOf(ctx) },
    ...{ stopping: stopping.signal, aborting: aborting.signal },
    onRoom: () => loops?.wakeClaim(),
  })
  const work: Work = {
    trigger: createTriggers({ ctx, queue, now: given ?? statementNow }),
    schedule: () => startDueSchedules({ ctx, queue, now: now() }),
    claim: createClaim(queue, registry, now),
    registry,
  }
  return {
    drain: () => drain(work),
    start() {
      loops = startLoops(ctx, work)
    },
    async stop(graceMs) {
      stopping.abort()
      // The grace period starts here: the loops may wait for an unavailable database.
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await loops?.stop()
      clearTimeout(timer)
    },
  }
}
