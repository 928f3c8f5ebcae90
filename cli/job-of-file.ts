// Sends a file to a job that imports it, or continues the job of an earlier command that was ended.
import { ANOTHER_JOB } from '../contract/job-tables.ts'
import type { Job, NewJob } from '../contract/jobs.ts'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import {
  deleteJobReference,
  fingerprintOf,
  jobReferencePath,
  readJobReference,
  type SourceFile,
  writeJobReference,
} from './job-reference.ts'
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
  /** Advice in errors about columns. */
  advice: string
  /** Called if no .job file can be written, so that no later command finds the job. @throws Error to cancel the job */
  onReferenceError(error: Error, jobId: string): void
  /** Called before a job is created. @throws Error if no job may be created */
  begin?(): Promise<void>
  /** Waits for the end of the job; without it, the command ends when the file is sent. @returns undefined on a stop */
  follow?: ((wait: Wait) => Promise<Job | undefined>) | undefined
}

/** The job of an earlier command that ended before it reported the result. @throws Error if another import is open */
async function jobBefore(
  { session: { ctx }, caller, source, options }: Importing,
  fingerprint: string,
): Promise<Job | undefined> {
  const reference = await readJobReference(source)
  if (!reference) return undefined
  const { readJob } = await service()
  const job = await readJob(ctx, caller, reference.jobId).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
  if (job && reference.fingerprint === fingerprint) return job
  if (!job && reference.orgId !== undefined && reference.orgId !== caller.orgId)
    throw new Error(
      `${jobReferencePath(source)} is of an import of this file into another organization, whose id is ${reference.orgId}: finish or cancel that one, job ${reference.jobId}`,
    )
  const [path, cancel] = [
    jobReferencePath(source),
    `rapport jobs cancel ${reference.jobId} --org ${options.org}`,
  ]
  if (job && isOpen(job))
    throw new Error(
      `${path} is of an import of this file with other options, or of the file before it was changed: finish that one, or cancel it with ${cancel}`,
    )
  if (job)
    tell(`job ${job.id} took this file before it was changed, or with other options, and ${stateText(job)}`)
  await deleteJobReference(source)
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
  { session, caller, source, body, begin, onReferenceError }: Importing,
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
    const reference = { jobId: id, fingerprint, orgId: caller.orgId }
    await writeJobReference(source, reference).catch((error: Error) => onReferenceError(error, id))
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

/** Adapts an API error to the command: adds advice about columns, drops the advice to start another job. */
export function forCommand(error: AppError, advice: string): Error {
  const message = error.message.replace(ANOTHER_JOB, '')
  const isOfColumns = /^columns\b/.test(message)
  return new Error(isOfColumns ? `${message}: ${advice}` : message, { cause: error })
}

/** Sends the file. If the file is refused, cancels its job, so that the corrected file becomes another job. */
async function sendOrCancel({ session, caller, source, advice }: Importing, jobId: string): Promise<void> {
  try {
    await sendFile({ session, caller, jobId, source })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'storage_full') throw error
    const { cancelJob } = await service()
    await cancelJob(session.ctx, caller, jobId)
    await deleteJobReference(source)
    throw forCommand(error, advice)
  }
}

/** Keeps the .job file unless the job is cancelled, so that the command can be repeated. */
async function stop({ session, caller, source, options }: Importing, id: string): Promise<never> {
  const interruption = await interrupted({ session, caller, id }, options).catch((error: unknown) => error)
  if (options.cancelOnInterrupt && !(interruption instanceof NotCancelled)) await deleteJobReference(source)
  throw interruption
}

/**
 * Imports a file by a job, or continues the job of the same command that was ended.
 * @param report reports the result of the job; the .job file exists until it has returned
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
  await deleteJobReference(source)
  return result
}
