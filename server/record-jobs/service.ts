// Starts, lists, shows and cancels jobs.
import type { Job, JobResultStatus, NewJob } from '../../contract/jobs.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../http/paging.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { matchAttribute } from '../records/bulk/row-checks.ts'
import { requireActive } from '../records/read/record-of.ts'
import type { JobsContext } from './context.ts'
import { countJobs, endJob, getJob, insertJob, type JobSettings, readResults, selectJobs } from './store.ts'

const shown = (caller: Caller, job: Job): Job => ({ ...job, createdBy: shownUser(caller, job.createdBy) })

/** @throws 400 validation_error */
function settingsOf(model: ObjectModel, body: NewJob): JobSettings {
  const { matchOn = null, duplicates, createMissing = false, format = 'ndjson' } = body
  const isMatched = matchOn !== null && matchOn !== 'id'
  if (isMatched) matchAttribute(model, { mode: 'upsert', matchOn })
  if (duplicates !== undefined && !isMatched)
    throw invalidField(
      'duplicates',
      'not_allowed',
      'is for lines that are matched on a unique attribute: leave it out, or send matchOn',
    )
  return { format, matchOn, duplicates: isMatched ? (duplicates ?? 'update') : null, createMissing }
}

/** The object is named in the body: one that is not there is a fault of the body. */
function toInvalid(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found')
    throw invalidField('objectId', 'invalid_reference', 'must be the id or the slug of an object')
  throw error
}

/** @throws 400 validation_error, 409 object_inactive */
export async function createJob(ctx: JobsContext, caller: Caller, body: NewJob): Promise<Job> {
  const { org } = caller
  const id = newId()
  await withCurrentModel(ctx, org, body.objectId, async (model) => {
    requireActive(model)
    const settings = settingsOf(model, body)
    await insertJob(ctx.db, { org, id, obj: model.obj, type: body.type, settings, caller })
  }).catch(toInvalid)
  return readJob(ctx, caller, id)
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

/** What is written stays so. @throws 404 not_found */
export async function cancelJob({ db }: { db: Db }, caller: Caller, id: string): Promise<Job> {
  const { org } = caller
  const job = await getJob(db, org, id)
  await endJob(db, { org, id: job.id }, { status: 'cancelled' })
  return readJob({ db }, caller, id)
}

const withStatus = (results: string, status: JobResultStatus): string =>
  results
    .split('\n')
    .filter((line) => line.includes(`"status":"${status}"`))
    .map((line) => `${line}\n`)
    .join('')

async function* filtered(all: AsyncIterable<string>, status: JobResultStatus): AsyncGenerator<string> {
  for await (const results of all) {
    const some = withStatus(results, status)
    if (some !== '') yield some
  }
}

/** @throws 404 not_found before the first text */
export async function jobResults(
  { db }: { db: Db },
  caller: Caller,
  { id, status }: { id: string; status: JobResultStatus | undefined },
): Promise<AsyncIterable<string>> {
  const job = await getJob(db, caller.org, id)
  const results = readResults(db, { org: caller.org, id: job.id })
  return status === undefined ? results : filtered(results, status)
}
