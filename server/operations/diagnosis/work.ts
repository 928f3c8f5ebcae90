// Stuck work: whether a worker works at all, and which work waits longer than it should.
import { counted } from '../../../contract/counted.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

export interface StuckWork {
  /** Seconds since the last job that a worker runs every minute. */
  idleSeconds: number
  /** Seconds since PostgreSQL started. */
  databaseSeconds: number
  /** Deleted objects and attributes whose data is still there an hour later. */
  unpurged: number
  failedJobs: number
  /** Kinds of jobs of which some wait for ten minutes while none is running. */
  waitingJobs: readonly string[]
  /** Events that were not dispatched within a minute. */
  lateEvents: number
  /** Webhook endpoints whose due deliveries no worker has taken for a minute. */
  lateEndpoints: number
  /** Runs of workflows that were due a minute ago. */
  lateRuns: number
  /** Age of the oldest change that is not yet added to the counters of large objects. */
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
/** A worker that has just become able to work has begun within this time. */
const BEGIN_SECONDS = 120

const START = 'start a process with ROLE=all or ROLE=worker'

export interface ServiceState {
  role: Config['role']
  /** Seconds since its process started. */
  runningSeconds: number
  /** How long its disk has had space; undefined: the disk is full, and background work is paused. */
  writableSeconds: number | undefined
}

interface Opportunity {
  role: Config['role']
  /** How long a worker has been able to work; undefined: it cannot, because the disk is full. */
  ableSeconds: number | undefined
}

/** For a worker on another machine, or none. */
const ELSEWHERE: ServiceState = {
  role: 'api',
  runningSeconds: Number.POSITIVE_INFINITY,
  writableSeconds: Number.POSITIVE_INFINITY,
}

/**
 * @param service undefined: no service runs on this machine
 * @param place isFull: as PostgreSQL reports for its disk
 * @returns undefined: the service of the embedded database is stopped, and other machines cannot work for it
 */
export function opportunityOf(
  service: ServiceState | undefined,
  place: { isEmbedded: boolean; databaseSeconds: number; isFull: boolean },
): Opportunity | undefined {
  const { isEmbedded, databaseSeconds, isFull } = place
  if (service === undefined && isEmbedded) return undefined
  const { role, runningSeconds, writableSeconds } = service ?? ELSEWHERE
  if (isFull || writableSeconds === undefined) return { role, ableSeconds: undefined }
  return { role, ableSeconds: Math.min(runningSeconds, writableSeconds, databaseSeconds) }
}

const START_OR_WAIT = `${START}; if one was started just now, run this again in ${BEGIN_SECONDS} s`

/** The finding for an idle worker without a fault. @returns undefined if a worker should have worked by this time */
function excuse(seconds: number, { role, ableSeconds }: Opportunity): Finding | undefined {
  const check = 'worker'
  const last = `background work was last done ${seconds} s ago`
  if (ableSeconds === undefined)
    return { check, status: 'ok', detail: `${last}: it rests while the disk is full, and goes on by itself` }
  if (ableSeconds >= BEGIN_SECONDS) return undefined
  const detail = `${last}, and has been possible again for ${Math.round(ableSeconds)} s`
  if (role !== 'api') return { check, status: 'ok', detail: `${detail}: it begins within ${BEGIN_SECONDS} s` }
  return { check, status: 'warn', detail, advice: START_OR_WAIT }
}

/**
 * Judges by the marks of jobs in the database, so that the worker may run on any machine.
 * @param opportunity undefined: the service of the embedded database is stopped
 */
export function judgeWorker(idleSeconds: number, opportunity: Opportunity | undefined): Finding {
  const check = 'worker'
  const seconds = Math.max(0, Math.round(idleSeconds))
  if (seconds < IDLE_FAIL_SECONDS)
    return { check, status: 'ok', detail: `background work was done ${seconds} s ago` }
  const why = `no worker has worked for ${seconds} s`
  if (opportunity === undefined)
    return { check, status: 'warn', detail: `${why}, and no service runs on this machine`, advice: START }
  const detail = `${why}: webhooks, workflows, imports and backups wait`
  const advice = `${START}; if one runs, see rapport status there, its log and its /readyz`
  return excuse(seconds, opportunity) ?? { check, status: 'fail', detail, advice }
}

type Complaint = readonly [detail: string, advice: string]

/** The advice for work that waits for a worker. */
function lateAdvice(opportunity: Opportunity | undefined): string {
  if (opportunity && opportunity.ableSeconds === undefined)
    return 'free space on the disk: background work rests while it is full, and goes on by itself'
  if (opportunity && (opportunity.ableSeconds ?? 0) < BEGIN_SECONDS)
    return opportunity.role === 'api'
      ? START_OR_WAIT
      : `background work has just become possible again: run this again in ${BEGIN_SECONDS} s`
  return `${START}; if one runs, see its log, and restart it if it logs nothing`
}

function* lateWork(work: StuckWork, advice: string): Generator<Complaint> {
  const { lateEvents, lateEndpoints, lateRuns, waitingJobs, unfoldedSeconds } = work
  if (lateEvents > 0)
    yield [`${counted(lateEvents, 'event is', 'events are')} not dispatched after a minute`, advice]
  if (lateEndpoints > 0)
    yield [
      `${counted(lateEndpoints, 'webhook endpoint has', 'webhook endpoints have')} deliveries that nothing sends`,
      advice,
    ]
  if (lateRuns > 0)
    yield [`${counted(lateRuns, 'workflow run is', 'workflow runs are')} overdue by a minute`, advice]
  if (waitingJobs.length > 0)
    yield [`jobs wait for ten minutes and none is worked on: ${waitingJobs.join(', ')}`, advice]
  if (unfoldedSeconds > UNFOLDED_WARN_SECONDS)
    yield [
      `counters of large objects are ${Math.round(unfoldedSeconds)} s behind: totals stay exact, but become slow`,
      advice,
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

/** One finding for each kind of stuck work. @param opportunity as of `judgeWorker` */
export function judgeWork(work: StuckWork, opportunity?: Opportunity): Finding[] {
  const found = [...lateWork(work, lateAdvice(opportunity)), ...failedWork(work)]
  if (found.length === 0) return [{ check: 'work', status: 'ok', detail: 'nothing is stuck' }]
  return found.map(([detail, advice]) => ({ check: 'work', status: 'warn', detail, advice }))
}
