// Counts the records and open tasks of a member, and reassigns them to another member or to no one in the background.
import { isUuid } from '../../contract/common.ts'
import type { Assignments, NewReassignment, Reassignment } from '../../contract/reassignments.ts'
import type { Caller } from '../base/caller.ts'
import { invalidField, notFound } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { findMemberOfOrganization, findRole, hasBeenMember } from '../identity/members/store.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { RecordContext } from '../records/context.ts'
import { countAssignedRecords, memberAttributes } from './assigned-records.ts'
import {
  countOpenTasks,
  endReassignment,
  insertReassignment,
  type ReassignmentRef,
  selectReassignments,
} from './store.ts'

export const WORK_ON_REASSIGNMENT = defineJob<ReassignmentRef>('reassignments.run')

async function assignmentsOf(ctx: RecordContext, caller: Caller, userId: string): Promise<Assignments> {
  const records: Assignments['records'] = []
  for (const one of await memberAttributes(ctx, caller.org)) {
    const count = await countAssignedRecords(ctx, caller, one, userId)
    const { model, attribute, ...names } = one
    if (count > 0) records.push({ objectId: model.id, ...names, attribute: attribute.name, count })
  }
  return { records, openTasks: await countOpenTasks(ctx.db, caller.org, userId) }
}

/** @throws 404 not_found */
export async function listAssignments(
  ctx: RecordContext,
  caller: Caller,
  memberId: string,
): Promise<Assignments> {
  const member = isUuid(memberId) ? await findMemberOfOrganization(ctx.db, caller.orgId, memberId) : undefined
  if (!member) throw notFound('member')
  return assignmentsOf(ctx, caller, member.userId)
}

/** @throws 400 validation_error */
async function requireUsers({ db }: { db: Db }, { org }: Caller, { from, to }: NewReassignment) {
  if (!(await findRole(db, org, from)) && !(await hasBeenMember(db, org, from)))
    throw invalidField('from', 'invalid_reference', 'must be the user id of a member or former member')
  if (to === null) return
  if (to === from) throw invalidField('to', 'invalid_value', 'must be another member than from: choose one')
  if (!(await findRole(db, org, to)))
    throw invalidField('to', 'invalid_reference', 'must be the user id of a member, or null')
}

/** @throws 400 validation_error */
export async function startReassignment(
  ctx: RecordContext & { queue: Queue },
  caller: Caller,
  asked: NewReassignment,
): Promise<Reassignment> {
  const users = { from: asked.from.toLowerCase(), to: asked.to?.toLowerCase() ?? null }
  await requireUsers(ctx, caller, users)
  const { records, openTasks } = await assignmentsOf(ctx, caller, users.from)
  const total = records.reduce((sum, { count }) => sum + count, openTasks)
  const { org, userId } = caller
  return ctx.db.transaction(async (tx) => {
    const id = newId()
    const reassignment = await insertReassignment(tx, org, { id, ...users, total, createdBy: userId })
    await ctx.queue.enqueue(tx, WORK_ON_REASSIGNMENT, { org, id })
    return reassignment
  })
}

export const listReassignments = ({ db }: { db: Db }, { org }: Caller): Promise<Reassignment[]> =>
  selectReassignments(db, org)

/** Values that were already changed stay changed. @throws 404 not_found */
export async function cancelReassignment(
  { db }: { db: Db },
  { org }: Caller,
  id: string,
): Promise<Reassignment> {
  const ended = isUuid(id) ? await endReassignment(db, { org, id }, 'cancelled') : undefined
  if (!ended) throw notFound('reassignment')
  return ended
}
