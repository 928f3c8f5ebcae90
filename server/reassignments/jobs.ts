// Background work on reassignments. Each batch changes values and counts them in one transaction. Changed values are
// not found again, so the work can continue at any point after a stop or a kill.
import { patchActivity } from '../activities/service.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import type { RecordContext } from '../records/context.ts'
import { findAssignedRecords, type MemberAttribute, memberAttributes } from './assigned-records.ts'
import {
  addCounts,
  endReassignment,
  findRunningReassignment,
  forgetFailed,
  lockOpenTasks,
  lockRunningReassignment,
  lockValues,
  type ReassignmentRef,
  type RunningReassignment,
} from './store.ts'

const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Work {
  ctx: RecordContext
  job: RunningReassignment
  caller: Caller
}

/** The value with `from` replaced by `to`; undefined if the value no longer contains `from`. */
function replaced(value: string | string[] | null, { from, to }: RunningReassignment) {
  if (!Array.isArray(value)) return value === from ? to : undefined
  if (!value.includes(from)) return undefined
  return [...new Set(value.flatMap((id) => (id === from ? (to ?? []) : [id])))]
}

/** @returns the number of records that could not be changed; undefined if the reassignment has ended */
async function changeRecords(
  { ctx, job, caller }: Work,
  { model, attribute: { slug } }: MemberAttribute,
  ids: readonly string[],
): Promise<number | undefined> {
  return ctx.db.transaction(async (tx) => {
    if (!(await lockRunningReassignment(tx, job))) return undefined
    const records = (await lockValues(tx, model, { slug, ids })).flatMap(({ id, value }) => {
      const now = replaced(value, job)
      return now === undefined ? [] : [{ id, data: { [slug]: now } }]
    })
    if (records.length === 0) return 0
    const result = await bulkWrite({ ...ctx, db: tx }, caller, model.id, { mode: 'upsert', records })
    const failed = result.failed.length
    await addCounts(tx, job, { changed: result.updated, failed, problem: result.failed[0]?.error })
    return failed
  })
}

async function reassignRecords(work: Work, of: MemberAttribute, signal: AbortSignal): Promise<void> {
  const { ctx, job, caller } = work
  for (let offset = 0; ; ) {
    signal.throwIfAborted()
    const ids = await findAssignedRecords(ctx, caller, of, { userId: job.from, limit: BATCH, offset })
    if (ids.length === 0) return
    const failed = await changeRecords(work, of, ids)
    if (failed === undefined) return
    offset += failed
  }
}

/** @returns the message of the refusal */
async function changeTask(tx: Db, { job, caller }: Work, activityId: string): Promise<string | undefined> {
  try {
    await patchActivity({ db: tx }, caller, {
      activityId,
      ifMatch: undefined,
      patch: { assignee: job.to },
    })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** @returns the last task of the batch; undefined if none is left or the reassignment has ended */
async function changeTasks(work: Work, after: string): Promise<string | undefined> {
  const { ctx, job } = work
  return ctx.db.transaction(async (tx) => {
    if (!(await lockRunningReassignment(tx, job))) return undefined
    const batch = { org: job.org, userId: job.from, after, limit: BATCH }
    const tasks = await lockOpenTasks(tx, batch)
    const problems: string[] = []
    for (const { id } of tasks) {
      const problem = await changeTask(tx, work, id)
      if (problem !== undefined) problems.push(problem)
    }
    const failed = problems.length
    await addCounts(tx, job, { changed: tasks.length - failed, failed, problem: problems[0] })
    return tasks.at(-1)?.id
  })
}

async function reassignTasks(work: Work, signal: AbortSignal): Promise<void> {
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined) {
    signal.throwIfAborted()
    after = await changeTasks(work, after)
  }
}

/** A job, which may run again and concurrently. @throws when `signal` aborts */
export async function workOnReassignment(
  ctx: RecordContext,
  ref: ReassignmentRef,
  signal: AbortSignal,
): Promise<void> {
  const job = await findRunningReassignment(ctx.db, ref)
  if (!job) return
  const { caller } = job
  // The member who requested the reassignment has left.
  if (!caller) return void (await endReassignment(ctx.db, job, 'cancelled'))
  await forgetFailed(ctx.db, job)
  // All changes are undone as one, by the id of the reassignment.
  const work = { ctx, job, caller: { ...caller, changeSet: job.id } }
  for (const one of await memberAttributes(ctx, job.org)) await reassignRecords(work, one, signal)
  await reassignTasks(work, signal)
  await endReassignment(ctx.db, job, 'completed')
}
