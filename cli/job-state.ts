// Describes jobs in commands, and waits for the end of a job.
import { setTimeout as delay } from 'node:timers/promises'
import { type Job, OPEN_JOB_STATUSES } from '../contract/jobs.ts'
import { UNDO_HOURS } from '../contract/limits.ts'
import type { Caller } from '../server/base/caller.ts'
import { isDatabaseUnavailable } from '../server/db/unavailable.ts'
import { untilAvailable } from '../server/jobs/until-available.ts'
import { formatText } from './import-reading.ts'
import type { OrgOptions } from './organization.ts'
import { print } from './output.ts'
import { type ProgressLine, showProgress } from './progress.ts'
import { noteOnService } from './running-service.ts'
import type { CliSession } from './session.ts'

export interface WaitOptions extends OrgOptions {
  wait?: true
  cancelOnInterrupt?: true
}

export const WAIT = ['--wait', 'print how it ended; the exit code is 1 if it or a row of it failed'] as const
export const CANCEL_ON_INTERRUPT = [
  '--cancel-on-interrupt',
  'cancel the job when this command is interrupted; without it the job goes on',
] as const

export const service = () => import('../server/record-jobs/service.ts')

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean =>
  (OPEN_JOB_STATUSES as readonly string[]).includes(status)

const COUNTS = ['created', 'updated', 'unchanged', 'deleted', 'exported', 'skipped', 'failed'] as const

function countsText({ progress }: Pick<Job, 'progress'>): string {
  const counts = COUNTS.filter((name) => progress[name] > 0).map((name) => `${progress[name]} ${name}`)
  return counts.length === 0 ? 'no rows' : counts.join(', ')
}

const ofTotal = (job: Job): string =>
  isOpen(job) && job.progress.total !== null ? `, of ${job.progress.total}` : ''

export const stateText = (job: Job): string =>
  `is ${job.status.replaceAll('_', ' ')}: ${countsText(job)}${ofTotal(job)}${job.error === null ? '' : `. ${job.error}`}`

export interface ShownJob {
  job: Job
  isUndoable: boolean
  /** Further lines for people. */
  notes: string[]
}

/** @throws AppError not_found */
export async function shownJob({ ctx }: CliSession, caller: Caller, id: string): Promise<ShownJob> {
  const { isUndoable, readJob } = await service()
  const job = await readJob(ctx, caller, id)
  const isWaiting = job.status === 'queued' || job.status === 'running'
  const notes = isWaiting ? await noteOnService(ctx.db) : []
  return { job, isUndoable: await isUndoable(ctx, caller, job), notes }
}

/** How a job has read its table, if it has arrived. */
function readingLinesOf({ reading }: Job): string[] {
  if (!reading) return []
  const { encoding, delimiter, dates, decimal } = reading
  if (encoding === null || delimiter === null || dates === 'auto' || decimal === 'auto') return []
  return [`Read as ${formatText({ encoding, delimiter, dates, decimal })}`]
}

export function jobLines({ org }: OrgOptions, { job, isUndoable, notes }: ShownJob): string[] {
  const command = (name: string, more = '') => `rapport jobs ${name} ${job.id} --org ${org}${more}`
  return [
    `Job ${job.id} (${job.type}) ${stateText(job)}`,
    ...readingLinesOf(job),
    ...(job.dryRun ? ['Nothing was written: the job only checks the file'] : []),
    ...(job.progress.failed > 0 ? [`Why rows failed: ${command('rows', ' --status failed')}`] : []),
    ...(job.type === 'export' && job.status === 'completed' ? [`Its file: ${command('file')}`] : []),
    ...(isUndoable ? [`Undo it within ${UNDO_HOURS} hours: ${command('undo')}`] : []),
    ...notes,
  ]
}

/** Prints a job. The exit code is 1 if it failed, was cancelled, or has failed rows. */
export function printJob(options: WaitOptions, shown: ShownJob): void {
  print(options, shown.job, () => jobLines(options, shown))
  const { status, progress } = shown.job
  if (status === 'failed' || status === 'cancelled' || progress.failed > 0) process.exitCode ??= 1
}

const POLL_MS = 300

export interface Wait {
  session: CliSession
  caller: Caller
  id: string
}

/** Waits for the end of a job, also while the database is unavailable. @returns undefined if the command must stop */
export async function untilEnded({ session: { ctx, signal }, caller, id }: Wait): Promise<Job | undefined> {
  const { readJob } = await service()
  const reading = { isWanted: () => !signal.aborted, onAway: () => undefined }
  let progress: ProgressLine | undefined
  try {
    for (;;) {
      const job = await untilAvailable(() => readJob(ctx, caller, id), reading)
      if (!job || !isOpen(job)) return job
      const { done, total } = job.progress
      if (total !== null) progress ??= showProgress('Working', total)
      progress?.update(done)
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    progress?.stop()
  }
}

const reasonOf = ({ signal }: CliSession): string =>
  signal.reason instanceof Error ? signal.reason.message : String(signal.reason)

/** The job was not cancelled, because the database does not respond. */
export class NotCancelled extends Error {}

async function cancelled({ session, caller, id }: Wait, { org }: OrgOptions): Promise<Job> {
  const { cancelJob } = await service()
  return cancelJob(session.ctx, caller, id).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
    throw new NotCancelled(
      `${reasonOf(session)}: the database does not respond, so job ${id} is not cancelled: use rapport jobs cancel ${id} --org ${org} later`,
      { cause: error },
    )
  })
}

/** For an import: the last line of the file that was imported. */
async function lastLineText({ session, caller, id }: Wait, { type }: Job): Promise<string> {
  if (type !== 'import') return ''
  const { lastLineOf } = await import('../server/record-jobs/outcome.ts')
  const line = await lastLineOf(session.ctx, { org: caller.org, id })
  return line === undefined ? '' : `, until line ${line} of the file`
}

/** Ends an interrupted command with an error. Its job continues, or is cancelled. */
export async function interrupted(wait: Wait, options: WaitOptions): Promise<never> {
  const { session, caller, id } = wait
  const { readJob } = await service()
  const job = await (options.cancelOnInterrupt ? cancelled(wait, options) : readJob(session.ctx, caller, id))
  const rest = isOpen(job) ? 'goes on, and ' : ''
  const until = isOpen(job) ? '' : await lastLineText(wait, job)
  throw new Error(
    `${reasonOf(session)}: job ${id} ${rest}${stateText(job)}${until}; see rapport jobs get ${id} --org ${options.org}`,
  )
}

/** Waits for the end of a job. @throws if the command is interrupted */
export async function follow(wait: Wait, options: WaitOptions): Promise<void> {
  const ended = await untilEnded(wait)
  if (!ended) await interrupted(wait, options)
}
