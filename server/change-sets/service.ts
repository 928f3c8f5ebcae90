// Starts, shows and cancels undo jobs.
import {
  type NewUndoJob,
  PREVIEWED_CHANGES_MAX,
  PREVIEWED_CONFLICTS_MAX,
  type StartedUndoJob,
  type UndoJob,
} from '../../contract/undo-jobs.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { deletableCommentsOf } from '../comments/service.ts'
import { inDryRun } from '../db/dry-run.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../http/paging.ts'
import { findImport } from '../imports/store.ts'
import { requireUndoable } from '../imports/undo.ts'
import { retrying } from '../records/write/retrying.ts'
import { type ChangeCounts, countChanges, hadChanges } from './changes-store.ts'
import { firstConflicts } from './conflicts.ts'
import type { ChangeSetContext } from './context.ts'
import {
  countUndoJobs,
  endUndoJob,
  getUndoJob,
  insertUndoJob,
  isReassigning,
  lockUndoJob,
  selectUndoJobs,
  type UndoJobRef,
} from './job-store.ts'
import { WORK_ON_UNDO } from './queued.ts'
import { type Source, sourceOf } from './source.ts'
import { findLastEvent, selectNow } from './time-store.ts'
import { undoBatch } from './undo-batch.ts'

const EXPIRED = 'These changes are more than 24 hours old: enter the earlier values by hand'

/** Explains why none of the changes can be undone, if the source has changes. */
function onlyOthers(
  { withActivities, withComments }: Source,
  { otherActivities, otherComments, otherFiles }: ChangeCounts,
): string {
  const needed = [
    { is: otherActivities > 0 && !withActivities, of: 'activities', scope: 'activities:write' },
    { is: otherComments > 0 && !withComments, of: 'comments', scope: 'comments:write' },
    { is: otherFiles > 0, of: 'files of activities', scope: 'attachments:write' },
  ].filter(({ is }) => is)
  if (needed.length === 0)
    return 'has changes of comments of others only: ask their authors, an owner or an admin to undo it'
  const what = needed.map(({ of }) => of).join(' and ')
  const scopes = needed.map(({ scope }) => scope).join(' and ')
  const others = otherComments > 0 && withComments ? ', or of comments of others' : ''
  return `has changes of ${what} only${others}: undo it with a key that has the ${needed.length > 1 ? 'scopes' : 'scope'} ${scopes}`
}

const shown = <Job extends Pick<UndoJob, 'createdBy'>>(caller: Caller, job: Job): Job => ({
  ...job,
  createdBy: shownUser(caller, job.createdBy),
})

/** The id of an import is also the id of its change set. @throws 409 undo_expired, wrong_state */
async function ofImport(db: Db, source: Source): Promise<Source> {
  const { org, kind, id } = source
  if (kind !== 'import' && kind !== 'changeSet') return source
  const found = await findImport(db, { org, id })
  if (!found) return source
  requireUndoable(found)
  return { ...source, kind: 'import' }
}

/** A running reassignment would take the records again. @throws 409 wrong_state */
async function requireEnded(db: Db, source: Source): Promise<void> {
  if (source.kind === 'changeSet' && (await isReassigning(db, source)))
    throw new AppError(
      'wrong_state',
      'The reassignment is running: wait until it has ended, or cancel it first',
    )
}

/** @throws 400 validation_error, 409 undo_expired */
async function requireChanges(db: Db, source: Source): Promise<ChangeCounts> {
  const counts = await countChanges(db, source)
  if (counts.created + counts.updated + counts.deleted > 0) return counts
  if (counts.otherActivities + counts.otherComments + counts.otherFiles > 0)
    throw invalidField('id', 'invalid_reference', onlyOthers(source, counts))
  if (await hadChanges(db, source)) throw new AppError('undo_expired', EXPIRED)
  throw invalidField(
    'id',
    'invalid_reference',
    'must be of changes of records, activities, comments or files in the last 24 hours: GET /change-sets lists them',
  )
}

/** Undoes the first changes, in a transaction that is rolled back. */
async function preview(ctx: ChangeSetContext, tx: Db, ref: UndoJobRef): Promise<void> {
  for (let left = PREVIEWED_CHANGES_MAX; left > 0; ) {
    const job = await lockUndoJob(tx, ref)
    const looked = job?.caller ? await undoBatch(ctx, tx, { ...job, caller: job.caller }, left) : 0
    left = looked === 0 ? 0 : left - looked
  }
}

/** @throws 400 validation_error, 409 undo_expired, wrong_state */
export async function createUndoJob(
  ctx: ChangeSetContext,
  caller: Caller,
  body: NewUndoJob,
  dryRun = false,
): Promise<StartedUndoJob> {
  const { org } = caller
  const { db } = ctx
  const beginning = { now: await selectNow(db), lastEvent: await findLastEvent(db, org) }
  const commentsOf = await deletableCommentsOf(db, caller)
  const source = await ofImport(db, sourceOf({ ...caller, commentsOf }, body, beginning))
  await requireEnded(db, source)
  const counts = await requireChanges(db, source)
  const ref = { org, id: newId() }
  return retrying(() =>
    inDryRun(db, dryRun, async (tx) => {
      await insertUndoJob(tx, { id: ref.id, source, counts, caller })
      if (dryRun) await preview(ctx, tx, ref)
      else await ctx.queue.enqueue(tx, WORK_ON_UNDO, ref)
      const job = shown(caller, await getUndoJob(tx, org, ref.id))
      if (!dryRun) return { ...job, conflicts: [] }
      const conflicts = await firstConflicts(tx, caller, { id: ref.id, limit: PREVIEWED_CONFLICTS_MAX })
      return { ...job, id: null, status: 'queued' as const, conflicts }
    }),
  )
}

/** Newest first. @throws 400 invalid_parameter */
export async function listUndoJobs({ db }: { db: Db }, caller: Caller, params: ListParams) {
  const { org } = caller
  const asked = askedPage(params, { seal: sealOf(['undo-jobs', org]) })
  const found = await selectUndoJobs(db, org, asked)
  const total = asked.count ? await countUndoJobs(db, org) : undefined
  const { rows, pagination } = pageOf(asked, { found, total })
  return { undoJobs: rows.map((job) => shown(caller, job)), pagination }
}

/** @throws 404 not_found */
export const readUndoJob = async ({ db }: { db: Db }, caller: Caller, id: string): Promise<UndoJob> =>
  shown(caller, await getUndoJob(db, caller.org, id))

/** Changes that are already undone stay undone. @throws 404 not_found */
export async function cancelUndoJob({ db }: { db: Db }, caller: Caller, id: string): Promise<UndoJob> {
  const { org } = caller
  const job = await getUndoJob(db, org, id)
  await endUndoJob(db, { org, id: job.id }, { status: 'cancelled' })
  return readUndoJob({ db }, caller, id)
}
