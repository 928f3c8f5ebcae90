// Executes a definition in one snapshot. Returns its results as JSON.
import { setTimeout as delay } from 'node:timers/promises'
import type { Problem } from '../../contract/errors.ts'
import { REPORT_BYTES_MAX, REPORT_RUN_SECONDS, REPORT_WAIT_SECONDS } from '../../contract/report-states.ts'
import type { ReportDefinition } from '../../contract/reports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import { type Db, errorCode } from '../db/pool.ts'
import { lowerPriority } from '../db/processor-priority.ts'
import { ReplicaError, readAtReplica } from '../db/replicas/replica-reads.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { ReportContext } from './context.ts'
import { loadPlan } from './model-loading.ts'
import type { ReportPlan } from './plan/plan.ts'
import type { ReportSnapshot } from './report-pool.ts'
import { reportBusy } from './report-queue.ts'
import {
  cancelSession,
  estimateCost,
  lockOrganization,
  readSnapshotRows,
  selectProcess,
} from './snapshot-store.ts'

/** `results`: contract/reports.ts ReportResults as JSON text. `failure`: a sentence for the user. */
export type ReportOutcome =
  | { results: string; resultCount: number }
  | { failure: string; problems: readonly Problem[] }

export interface AskedReport {
  definition: ReportDefinition
  /** Aborts when the client has disconnected. */
  signal?: AbortSignal
  /** Called once the report has its snapshot. */
  onBegin?: () => Promise<void>
}

class Failure extends Error {
  readonly problems: readonly Problem[]
  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

const SECOND_MS = 1000

const TOO_LONG = `The report takes longer than ${REPORT_RUN_SECONDS} s: filter it, or join fewer objects`
const GIVEN_UP = 'The client closed the connection before the report was complete'
const UNEXPECTED =
  'The report failed with an unexpected error: run it again, and tell the operator if it fails again'

/** Messages for errors of PostgreSQL. */
const REASONS: Readonly<Record<string, string>> = {
  '57014': TOO_LONG,
  '55P03': 'The tables are being changed: run the report again shortly',
  '53200': 'The report needs more memory than is available: filter it, or use fewer groups',
  '53400': 'The report needs more disk space than is allowed: filter it, or use fewer groups',
  '22023': 'The database does not know a time zone of the report: choose another',
  '22008': 'A date of the records is out of range: filter it out',
  '22003': 'A number is out of range: filter the records',
}

function joinProblems(problems: readonly Problem[]): string {
  const [first] = problems
  return first ? `${first.path}: ${first.message}` : UNEXPECTED
}

interface Collected {
  rows: string[]
  truncated: boolean
}

async function collect(tx: Db, plan: ReportPlan, deadline: number): Promise<Collected> {
  const names = plan.columns.map(({ key }) => JSON.stringify(key))
  const rows: string[] = []
  let bytes = 0
  for await (const page of readSnapshotRows(tx, plan)) {
    for (const row of page) {
      if (rows.length === plan.limit) return { rows, truncated: true }
      const text = `{${plan.cells.map((cell, index) => `${names[index]}:${cell(row)}`).join(',')}}`
      bytes += Buffer.byteLength(text) + 1
      if (bytes > REPORT_BYTES_MAX) return { rows, truncated: true }
      rows.push(text)
    }
    if (Date.now() > deadline) throw new Failure(TOO_LONG)
  }
  if (rows.length === 0 && plan.rowOfNothing)
    rows.push(`{${plan.rowOfNothing.map((value, index) => `${names[index]}:${value}`).join(',')}}`)
  return { rows, truncated: false }
}

async function runInSnapshot(
  { tx, giveWay, asOf }: ReportSnapshot,
  ctx: ReportContext,
  caller: Caller,
  { definition, signal }: AskedReport,
) {
  const now = ctx.clock.now()
  const began = Date.now()
  const planned = await loadPlan(tx, caller, { definition, now })
  if ('problems' in planned) throw new Failure(joinProblems(planned.problems), planned.problems)
  const { plan } = planned
  // PostgreSQL can only cancel a running statement, so the deadline is also checked between statements.
  signal?.throwIfAborted()
  const cost = await estimateCost(tx, plan)
  if (cost > ctx.reports.costMax)
    throw new Failure('The report would read too much: filter it, or join fewer objects')
  if (cost > ctx.reports.costOfLong) giveWay()
  signal?.throwIfAborted()
  const { rows, truncated } = await collect(tx, plan, began + REPORT_RUN_SECONDS * SECOND_MS)
  const frame = { truncated, asOf: asOf.toISOString(), executionMs: Date.now() - began }
  const results = `{"columns":${JSON.stringify(plan.columns)},"rows":[${rows.join(',')}],${JSON.stringify(frame).slice(1)}`
  return { results, resultCount: rows.length }
}

function toOutcome(error: unknown, { log }: ReportContext, { signal }: AskedReport): ReportOutcome {
  if (signal?.aborted) return { failure: GIVEN_UP, problems: [] }
  if (error instanceof Failure) return { failure: error.message, problems: error.problems }
  if (error instanceof AppError) throw error
  const reason = REASONS[errorCode(error) ?? '']
  if (reason === undefined) {
    if (isDatabaseUnavailable(error) || errorCode(error) === undefined) throw error
    log.error({ err: error }, 'a report failed')
  }
  return { failure: reason ?? UNEXPECTED, problems: [] }
}

const OTHER_NODE = Symbol('a report of the organization is running on another node')
const LOOK_AGAIN_MS = 200

/** @returns OTHER_NODE when another node runs a report of the organization */
function onThisNode<Result>(
  { db, reports, shares, clock }: ReportContext,
  org: number,
  work: (snapshot: ReportSnapshot) => Promise<Result>,
): Promise<Result | typeof OTHER_NODE> {
  const enter = shares.outside(org)
  let isUsedUp = false
  const place = async () => ({ ...(await enter()), isUsedUp: () => isUsedUp })
  return reports.pool.behind(place).snapshot(async (tx) => {
    // The first statement takes the snapshot.
    const asOf = clock.now()
    const pid = await selectProcess(tx)
    const giveWay = () => {
      if (!reports.isLocal) return
      // A process cannot raise its priority again, so the next report gets another process.
      isUsedUp = true
      void lowerPriority(pid)
    }
    const cancel = () => cancelSession(db, pid)
    const isTaken = await lockOrganization(tx, org)
    return isTaken ? work({ tx, cancel, asOf, isReplica: false, giveWay }) : OTHER_NODE
  })
}

interface Turn {
  org: number
  /** Aborts when the client has disconnected. */
  signal?: AbortSignal | undefined
}

/** Uses a replica if one can be read. The primary's transaction holds the lock, and is used if the replica fails. */
const onReplica = <Result>(
  ctx: ReportContext,
  { org, signal }: Turn,
  own: ReportSnapshot,
  work: (snapshot: ReportSnapshot) => Promise<Result>,
): Promise<Result> =>
  readAtReplica(ctx, { kind: 'report', org, signal }, ({ db, reports, shares }, replica) => {
    if (!replica) return work(own)
    return reports.pool.behind(shares.outside(org)).snapshot(async (tx) => {
      const pid = await selectProcess(tx)
      const cancel = () => cancelSession(db, pid)
      return work({ tx, cancel, asOf: replica.asOf, isReplica: true, giveWay: () => undefined })
    })
  })

/**
 * Waits until no other report of the organization runs, and then for one of the connections of reports. `work` is called
 * a second time if it fails on a replica.
 * @throws 429 report_busy
 */
export async function withReportSnapshot<Result>(
  ctx: ReportContext,
  turn: Turn,
  work: (snapshot: ReportSnapshot) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + REPORT_WAIT_SECONDS * SECOND_MS
  for (;;) {
    const release = await ctx.reports.queue.take(turn.org, deadline)
    const result = await onThisNode(ctx, turn.org, (own) => onReplica(ctx, turn, own, work)).finally(release)
    if (result !== OTHER_NODE) return result
    if (Date.now() >= deadline) throw reportBusy()
    await delay(LOOK_AGAIN_MS)
  }
}

const isTooLong = (error: unknown) => error instanceof Failure && error.message === TOO_LONG

/** Whether the time limit ended the report: PostgreSQL cancels it, on a replica as on the primary. */
const hasTimedOut = (error: unknown, began: number) =>
  isTooLong(error) || (errorCode(error) === '57014' && Date.now() - began >= REPORT_RUN_SECONDS * SECOND_MS)

async function runWithSnapshot(
  ctx: ReportContext,
  caller: Caller,
  asked: AskedReport,
  snapshot: ReportSnapshot,
) {
  const { signal, onBegin } = asked
  let cancelled: Promise<unknown> | undefined
  const cancel = () => {
    cancelled = snapshot.cancel().catch(() => undefined)
  }
  const began = Date.now()
  try {
    await onBegin?.()
    signal?.throwIfAborted()
    signal?.addEventListener('abort', cancel, { once: true })
    return await runInSnapshot(snapshot, ctx, caller, asked)
  } catch (error) {
    if (snapshot.isReplica && !signal?.aborted && !hasTimedOut(error, began)) throw new ReplicaError(error)
    return toOutcome(error, ctx, asked)
  } finally {
    signal?.removeEventListener('abort', cancel)
    // The session is used again: a cancellation that arrives later would end the statement of another report.
    await cancelled
  }
}

/**
 * Runs the definition in one snapshot of the database, for at most REPORT_RUN_SECONDS. Waits for a snapshot if the
 * context has none.
 * @throws 429 report_busy
 */
export async function execute(
  ctx: ReportContext,
  caller: Caller,
  asked: AskedReport,
): Promise<ReportOutcome> {
  const { snapshot } = ctx.reports
  if (snapshot) return runWithSnapshot(ctx, caller, asked, snapshot)
  const turn = { org: caller.org, signal: asked.signal }
  return withReportSnapshot(ctx, turn, (taken) => runWithSnapshot(ctx, caller, asked, taken))
}
