// Starts, lists, shows and cancels jobs.
import type { JobResultStatus } from '../../contract/job-results.ts'
import {
  type Job,
  type JobFormat,
  type JobStatus,
  type NewJob,
  OPEN_JOB_STATUSES,
  type StartedJob,
} from '../../contract/jobs.ts'
import type { Scope } from '../../contract/scopes.ts'
import { type Caller, mayRead, shownUser } from '../base/caller.ts'
import { AppError, insufficientScope, invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { inDryRun } from '../db/dry-run.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../http/paging.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { lastRecordId } from '../imports/existing.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { requireActive } from '../records/read/record-of.ts'
import { selectSetObjects } from '../records/undo/set-store.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { end } from './ends.ts'
import { countMatches } from './matches.ts'
import { kindOf } from './queued.ts'
import { hasStatus } from './save-batch.ts'
import { requireFields, settingsOf } from './settings.ts'
import {
  countJobs,
  findJobKey,
  findSameOpenJob,
  getJob,
  getUploaded,
  insertJob,
  type JobRef,
  readResults,
  removeJob,
  selectJobs,
} from './store.ts'

function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes && !scopes.has(scope)) throw insufficientScope(scope)
}

/** Counts unchanged rows as updated for callers that may not read records: the difference reveals record data. */
const shownProgress = (caller: Caller, progress: Job['progress']): Job['progress'] =>
  mayRead(caller, 'records:read')
    ? progress
    : { ...progress, updated: progress.updated + progress.unchanged, unchanged: 0 }

const shown = (caller: Caller, job: Job): Job => ({
  ...job,
  progress: shownProgress(caller, job.progress),
  createdBy: shownUser(caller, job.createdBy),
})

/** The object is a field of the body, so a missing object is a fault of the body. */
function toInvalid(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found')
    throw invalidField('objectId', 'invalid_reference', 'must be the id or the slug of an object')
  throw error
}

interface Started {
  ctx: JobsContext
  model: ObjectModel
  isDryRun: boolean
}

interface CreateOptions {
  isDryRun?: boolean | undefined
  /**
   * Returns an open job of the same member with the same settings, if there is one, so that a command can be repeated.
   */
  joinsSame?: boolean
}

/** An import waits for its upload. Records are counted by the worker, except for a dry run. */
async function beginningOf(
  caller: Caller,
  { ctx, model, isDryRun }: Started,
  { type, filter, duplicateRules }: NewJob,
) {
  const isCompared = type !== 'import' || duplicateRules === true
  const ref = { org: caller.org, objectId: model.id }
  const untilId = isCompared ? ((await lastRecordId(ctx.db, ref)) ?? null) : null
  if (type === 'import') return { status: 'awaiting_upload' as const, untilId, total: null }
  const total = isDryRun ? await countMatches(ctx, caller, model, filter) : null
  return { status: 'queued' as const, untilId, total }
}

/**
 * An import needs no read scope, unless its results show which records match by rules. An export needs no write scope.
 * @throws 403 insufficient_scope
 */
function requireScopesFor(caller: Caller, { type, duplicateRules }: NewJob): void {
  if (type !== 'import' || duplicateRules) requireScope(caller, 'records:read')
  if (type !== 'export') requireScope(caller, 'records:write')
}

/** @throws 400 invalid_filter, invalid_parameter, validation_error, 403 insufficient_scope, 409 object_inactive */
export function createJob(
  ctx: JobsContext,
  caller: Caller,
  body: NewJob,
  { isDryRun = false, joinsSame = false }: CreateOptions = {},
): Promise<StartedJob> {
  const { org, userId } = caller
  const ref = { org, id: newId() }
  requireFields(body)
  requireScopesFor(caller, body)
  return inDryRun(ctx.db, isDryRun, async (tx) => {
    const id = await withCurrentModel({ ...ctx, db: tx }, org, body.objectId, async (model) => {
      if (body.type !== 'export') requireActive(model)
      const within = { ...ctx, db: tx }
      const settings = await settingsOf(within, caller, model, body)
      const asked = { ...ref, obj: model.obj, type: body.type, settings }
      const same = joinsSame && !isDryRun ? await findSameOpenJob(tx, { ...asked, userId }) : undefined
      if (same) return same.id
      const beginning = await beginningOf(caller, { ctx: within, model, isDryRun }, body)
      await insertJob(tx, { ...asked, caller, ...beginning })
      if (beginning.status === 'queued' && !isDryRun) await ctx.queue.enqueue(tx, kindOf(settings), ref)
      return ref.id
    }).catch(toInvalid)
    const job = await readJob({ db: tx }, caller, id)
    return isDryRun ? { ...job, id: null, changeSetId: null } : job
  })
}

/** Newest first. @throws 400 invalid_parameter */
export async function listJobs({ db }: { db: Db }, caller: Caller, params: ListParams) {
  const { org } = caller
  const asked = askedPage(params, { seal: sealOf(['jobs', org]) })
  const found = await selectJobs(db, org, asked)
  const total = asked.count ? await countJobs(db, org) : undefined
  const { rows, pagination } = pageOf(asked, { found, total })
  return { jobs: rows.map((job) => shown(caller, job)), pagination }
}

/** @throws 404 not_found */
export const readJob = async ({ db }: { db: Db }, caller: Caller, id: string): Promise<Job> =>
  shown(caller, await getJob(db, caller.org, id))

/**
 * A key that may not read records may follow the jobs that it created, which show no more than a bulk write.
 * @throws 403 insufficient_scope
 */
async function requireFollowing(db: Db, caller: Caller, { id }: Job): Promise<void> {
  if (mayRead(caller, 'records:read')) return
  const key = await findJobKey(db, { org: caller.org, id })
  if (caller.keyId === null || key !== caller.keyId) throw insufficientScope('records:read')
}

/** @throws 403 insufficient_scope, 404 not_found */
export async function followedJob({ db }: { db: Db }, caller: Caller, id: string): Promise<Job> {
  const job = await getJob(db, caller.org, id)
  await requireFollowing(db, caller, job)
  return shown(caller, job)
}

/** Whether the job has ended, and made changes that can still be undone. */
export async function isUndoable({ db }: { db: Db }, { org }: Caller, { id, status }: Job): Promise<boolean> {
  if ((OPEN_JOB_STATUSES as readonly JobStatus[]).includes(status)) return false
  const { settings } = await getUploaded(db, { org, id })
  return !settings.permanent && (await selectSetObjects(db, org, id)).length > 0
}

/** The job, for a caller who may cancel and delete it. @throws 403 insufficient_scope, 404 not_found */
async function changeableJob(db: Db, caller: Caller, id: string): Promise<JobRef> {
  const { org } = caller
  const job = await getJob(db, org, id)
  if (job.type !== 'export') requireScope(caller, 'records:write')
  return { org, id: job.id }
}

/** Rows that were already written stay. @throws 403 insufficient_scope, 404 not_found */
export async function cancelJob({ db }: { db: Db }, caller: Caller, id: string): Promise<Job> {
  await end(db, await changeableJob(db, caller, id), { status: 'cancelled' })
  return readJob({ db }, caller, id)
}

/** What it wrote stays, and can still be undone. @throws 403 insufficient_scope, 404 not_found, 409 wrong_state */
export async function deleteJob({ db }: { db: Db }, caller: Caller, id: string): Promise<string> {
  const job = await changeableJob(db, caller, id)
  if (!(await removeJob(db, job)))
    throw new AppError('wrong_state', 'This job has not ended: wait for its end, or cancel it first')
  return job.id
}

const withStatus = (results: string, status: JobResultStatus): string =>
  results
    .split('\n')
    .filter((line) => hasStatus(line, status))
    .map((line) => `${line}\n`)
    .join('')

const UNCHANGED = '"status":"unchanged"'

/** For callers that may not read records, as in the counts. */
async function* withoutUnchanged(all: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const results of all) yield results.replaceAll(UNCHANGED, '"status":"updated"')
}

async function* filtered(all: AsyncIterable<string>, status: JobResultStatus): AsyncGenerator<string> {
  for await (const results of all) {
    const some = withStatus(results, status)
    if (some !== '') yield some
  }
}

/** @throws 403 insufficient_scope, 404 not_found before the first result */
export async function jobResults(
  { db }: { db: Db },
  caller: Caller,
  { id, status }: { id: string; status: JobResultStatus | undefined },
): Promise<AsyncIterable<string>> {
  const job = await getJob(db, caller.org, id)
  await requireFollowing(db, caller, job)
  const all = readResults(db, { org: caller.org, id: job.id })
  const results = mayRead(caller, 'records:read') ? all : withoutUnchanged(all)
  return status === undefined ? results : filtered(results, status)
}

export interface JobFile {
  fileName: string
  format: JobFormat
  bytes: AsyncIterable<Buffer>
}

/** @throws 404 not_found, 409 wrong_state before the first byte */
export async function jobFile({ db }: { db: Db }, caller: Caller, id: string): Promise<JobFile> {
  const { org } = caller
  const job = await getJob(db, org, id)
  if (job.type !== 'export')
    throw new AppError('wrong_state', `A job of the type ${job.type} writes no file: read its results`)
  if (job.status !== 'completed')
    throw new AppError(
      'wrong_state',
      `This export is ${job.status}: wait until it is completed, or create another one`,
    )
  const format = job.format ?? 'ndjson'
  const bytes = readContent(db, { org, id: job.id })
  return { fileName: `export-${job.id}.${format}`, format, bytes }
}
