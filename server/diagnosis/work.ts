// Work that does not get done: whether a worker works at all, and what waits for longer than it should.
import { counted } from '../../contract/counted.ts'
import type { Finding } from './finding.ts'

export interface StuckWork {
  /** Since the last job that a worker does every minute. */
  idleSeconds: number
  /** Deleted objects and attributes whose data is still there an hour later. */
  unpurged: number
  failedJobs: number
  /** Kinds of jobs of which some wait for ten minutes while none is worked on. */
  waitingJobs: readonly string[]
  /** Events that are not dispatched after a minute. */
  lateEvents: number
  /** Webhook endpoints whose due deliveries no worker has taken for a minute. */
  lateEndpoints: number
  /** Runs of workflows that were due a minute ago. */
  lateRuns: number
  /** Of the oldest change that is not folded into the counters of large objects. */
  unfoldedSeconds: number
  strayEvents: number
  /** Members whose mails about notifications failed three times in a row or more. */
  failingMailboxes: number
  oldestTransactionSeconds: number
}

const TRANSACTION_WARN_SECONDS = 300
/** A worker works every minute; a busy database may delay that. */
const IDLE_FAIL_SECONDS = 300
const UNFOLDED_WARN_SECONDS = 60

const START = 'start a process with ROLE=all or ROLE=worker'

/** By the marks that jobs leave in the database: it does not matter where the worker runs. */
export function judgeWorker(idleSeconds: number): Finding {
  const check = 'worker'
  const seconds = Math.max(0, Math.round(idleSeconds))
  if (seconds < IDLE_FAIL_SECONDS)
    return { check, status: 'ok', detail: `background work was done ${seconds} s ago` }
  const detail = `no worker has worked for ${seconds} s: webhooks, workflows, imports and backups wait`
  const advice = `${START}; if one runs, see rapport status there, its log and its /readyz`
  return { check, status: 'fail', detail, advice }
}

type Complaint = readonly [detail: string, advice: string]

const LATE = `${START}; if one runs, see its log, and restart it if it logs nothing`

function* lateWork(work: StuckWork): Generator<Complaint> {
  const { lateEvents, lateEndpoints, lateRuns, waitingJobs, unfoldedSeconds } = work
  if (lateEvents > 0)
    yield [`${counted(lateEvents, 'event is', 'events are')} not dispatched after a minute`, LATE]
  if (lateEndpoints > 0)
    yield [
      `${counted(lateEndpoints, 'webhook endpoint has', 'webhook endpoints have')} deliveries that nothing sends`,
      LATE,
    ]
  if (lateRuns > 0)
    yield [`${counted(lateRuns, 'workflow run is', 'workflow runs are')} overdue by a minute`, LATE]
  if (waitingJobs.length > 0)
    yield [`jobs wait for ten minutes and none is worked on: ${waitingJobs.join(', ')}`, LATE]
  if (unfoldedSeconds > UNFOLDED_WARN_SECONDS)
    yield [
      `counters of large objects are ${Math.round(unfoldedSeconds)} s behind: totals stay exact, but become slow`,
      LATE,
    ]
}

function* failedWork(work: StuckWork): Generator<Complaint> {
  const { unpurged, failedJobs, strayEvents, failingMailboxes, oldestTransactionSeconds } = work
  if (unpurged > 0)
    yield [
      `${counted(unpurged, 'deleted object or attribute is', 'deleted objects or attributes are')} not purged after an hour`,
      `${START}, and check its log`,
    ]
  if (failedJobs > 0)
    yield [`${counted(failedJobs, 'job')} failed in the last day`, 'check the log of the worker']
  if (strayEvents > 0)
    yield [
      `${counted(strayEvents, 'event is', 'events are')} outside the partition of the day`,
      'correct the clock, and keep a process with ROLE=all or ROLE=worker running',
    ]
  if (failingMailboxes > 0)
    yield [
      `emails to ${counted(failingMailboxes, 'member')} failed three times or more`,
      'see the check mail, and the log of the worker for what the SMTP server said',
    ]
  if (oldestTransactionSeconds > TRANSACTION_WARN_SECONDS)
    yield [
      `a transaction is open for ${Math.round(oldestTransactionSeconds)} s`,
      'find it in pg_stat_activity and end it: it keeps PostgreSQL from removing deleted rows',
    ]
}

/** One finding for each kind of work that is stuck. */
export function judgeWork(work: StuckWork): Finding[] {
  const found = [...lateWork(work), ...failedWork(work)]
  if (found.length === 0) return [{ check: 'work', status: 'ok', detail: 'nothing is stuck' }]
  return found.map(([detail, advice]) => ({ check: 'work', status: 'warn', detail, advice }))
}
