// Sends a file to a job that imports it, and goes on with the job of a command that was ended before.
import { ANOTHER_JOB } from '../contract/job-tables.ts'
import type { Job, NewJob } from '../contract/jobs.ts'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import { fingerprintOf, forgetPlace, keepPlace, placePath, readPlace, type SourceFile } from './job-place.ts'
import {
  interrupted,
  isOpen,
  NotCancelled,
  type ShownJob,
  service,
  shownJob,
  stateText,
  type Wait,
} from './job-state.ts'
import { sendFile } from './job-upload.ts'
import { tell } from './output.ts'
import type { CliSession } from './session.ts'

export interface Importing {
  session: CliSession
  caller: Caller
  source: SourceFile
  body: NewJob
  options: { org: string; cancelOnInterrupt?: true }
  /** Where columns do not fit. */
  advice: string
  /** What becomes of a job that cannot be found again once this command is killed. @throws Error: it is cancelled */
  whereNoPlace(error: Error, jobId: string): void
  /** Before a job is created. @throws Error when none may be */
  begin?(): Promise<void>
  /** Until the job has ended; undefined: the command has done its part when the file is sent. @returns undefined when the command is to stop */
  follow?: ((wait: Wait) => Promise<Job | undefined>) | undefined
}

/** The job of a command that was ended before it had told the result. @throws Error if another import is at work */
async function jobBefore(
  { session: { ctx }, caller, source, options }: Importing,
  fingerprint: string,
): Promise<Job | undefined> {
  const place = await readPlace(source)
  if (!place) return undefined
  const { readJob } = await service()
  const job = await readJob(ctx, caller, place.jobId).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
  if (job && place.fingerprint === fingerprint) return job
  if (!job && place.orgId !== undefined && place.orgId !== caller.orgId)
    throw new Error(
      `${placePath(source)} is of an import of this file into another organization, whose id is ${place.orgId}: finish or cancel that one, job ${place.jobId}`,
    )
  const [path, cancel] = [placePath(source), `rapport jobs cancel ${place.jobId} --org ${options.org}`]
  if (job && isOpen(job))
    throw new Error(
      `${path} is of an import of this file with other options, or of the file before it was changed: finish that one, or cancel it with ${cancel}`,
    )
  if (job)
    tell(`job ${job.id} took this file before it was changed, or with other options, and ${stateText(job)}`)
  await forgetPlace(source)
  return undefined
}

/** @returns its id */
export async function createImport({ ctx }: CliSession, caller: Caller, body: NewJob): Promise<string> {
  const { createJob } = await service()
  const { id } = await createJob(ctx, caller, body)
  if (id === null) throw new Error('The job was not created: try again')
  return id
}

async function newJob(
  { session, caller, source, body, begin, whereNoPlace }: Importing,
  fingerprint: string,
): Promise<string> {
  await begin?.()
  const { ctx } = session
  const [{ cancelJob }, { requireSize }] = await Promise.all([
    service(),
    import('../server/record-jobs/upload.ts'),
  ])
  requireSize(ctx.config.jobMaxBytes, source.size)
  const id = await createImport(session, caller, body)
  try {
    const place = { jobId: id, fingerprint, orgId: caller.orgId }
    await keepPlace(source, place).catch((error: Error) => whereNoPlace(error, id))
  } catch (error) {
    await cancelJob(ctx, caller, id)
    throw error
  }
  return id
}

function tellBefore({ options: { org } }: Importing, job: Job): void {
  const state = job.status.replaceAll('_', ' ')
  tell(
    isOpen(job)
      ? `goes on with job ${job.id}, which is ${state}`
      : `job ${job.id} of ${job.createdAt} took this file and is ${state}: to import it once more, give the command again (rapport jobs list --org ${org} shows all)`,
  )
}

/** Columns are a field of the API, and the job is cancelled already. */
export function forCommand(error: AppError, advice: string): Error {
  const message = error.message.replace(ANOTHER_JOB, '')
  const isOfColumns = /^columns\b/.test(message)
  return new Error(isOfColumns ? `${message}: ${advice}` : message, { cause: error })
}

/** A file that cannot be taken stays refused: its job is cancelled, so that a corrected one is another job. */
async function sendOrCancel({ session, caller, source, advice }: Importing, jobId: string): Promise<void> {
  try {
    await sendFile({ session, caller, jobId, source })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'storage_full') throw error
    const { cancelJob } = await service()
    await cancelJob(session.ctx, caller, jobId)
    await forgetPlace(source)
    throw forCommand(error, advice)
  }
}

/** The place stays unless the job is cancelled: the command may be given again. */
async function stop({ session, caller, source, options }: Importing, id: string): Promise<never> {
  const interruption = await interrupted({ session, caller, id }, options).catch((error: unknown) => error)
  if (options.cancelOnInterrupt && !(interruption instanceof NotCancelled)) await forgetPlace(source)
  throw interruption
}

/**
 * A command that is given again after it was ended in any way goes on here.
 * @param report tells what became of the job; until it has, the file has a place
 */
export async function importByJob<Result>(
  importing: Importing,
  report: (shown: ShownJob) => Result | Promise<Result>,
): Promise<Result> {
  const { session, caller, source, body, follow } = importing
  const fingerprint = fingerprintOf(source, [caller.orgId, body])
  const before = await jobBefore(importing, fingerprint)
  if (before) tellBefore(importing, before)
  session.signal.throwIfAborted()
  const id = before?.id ?? (await newJob(importing, fingerprint))
  const wait = { session, caller, id }
  if (!before || before.status === 'awaiting_upload')
    await sendOrCancel(importing, id).catch((error: unknown) => {
      if (!session.signal.aborted) throw error
      return stop(importing, id)
    })
  if (follow && !(await follow(wait))) await stop(importing, id)
  const result = await report(await shownJob(session, caller, id))
  await forgetPlace(source)
  return result
}
