// Statements about reassignments, and about the values that they change.
import sql from 'sql-template-tag'
import type { Reassignment } from '../../contract/reassignments.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'

/** The payload of the job of a reassignment. */
export interface ReassignmentRef {
  org: number
  id: string
}

export interface RunningReassignment extends ReassignmentRef {
  from: string
  to: string | null
  /** The requesting member; null if this member has left, unless the reassignment is of the member's own records. */
  caller: Caller | null
}

const SHOWN = 10

const columns = sql`
  r.id, r.from_user as "from", r.to_user as "to", r.state, r.total, r.changed, r.failed, r.problem,
  r.created_at as "createdAt", r.finished_at as "finishedAt"`

export const insertReassignment = (
  tx: Db,
  org: number,
  row: Pick<Reassignment, 'id' | 'from' | 'to' | 'total'> & { createdBy: string },
): Promise<Reassignment> =>
  tx.one<Reassignment>(sql`
    insert into reassignments as r (org, id, from_user, to_user, created_by, total)
    values (${org}, ${row.id}, ${row.from}, ${row.to}, ${row.createdBy}, ${row.total}) returning ${columns}`)

export const selectReassignments = (db: Db, org: number): Promise<Reassignment[]> =>
  db.many<Reassignment>(sql`
    select ${columns} from reassignments r where r.org = ${org} order by r.id desc limit ${SHOWN}`)

/** A reassignment that has ended stays unchanged. @returns undefined if it does not exist */
export const endReassignment = (
  db: Db,
  { org, id }: ReassignmentRef,
  state: 'completed' | 'cancelled',
): Promise<Reassignment | undefined> =>
  db.maybeOne<Reassignment>(sql`
    update reassignments r set state = case r.state when 'running' then ${state}::text else r.state end,
      finished_at = coalesce(r.finished_at, now())
    where r.org = ${org} and r.id = ${id} returning ${columns}`)

export const findRunningReassignment = (db: Db, { org, id }: ReassignmentRef) =>
  db.maybeOne<RunningReassignment>(sql`
    select r.org, r.id, r.from_user as "from", r.to_user as "to",
      (select json_build_object('org', o.org, 'orgId', o.id, 'userId', r.created_by, 'keyId', null,
         'country', o.country, 'currency', o.currency)
       from organizations o
       where o.org = r.org and (r.created_by = r.from_user or exists (
         select from members m where m.organization_id = o.id and m.user_id = r.created_by))) as caller
    from reassignments r where r.org = ${org} and r.id = ${id} and r.state = 'running'`)

/** A second worker waits. @returns whether the reassignment is still running */
export const lockRunningReassignment = async (tx: Db, { org, id }: ReassignmentRef): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from reassignments where org = ${org} and id = ${id} and state = 'running' for update`)) !==
  undefined

interface BatchCounts {
  changed: number
  failed: number
  problem: string | undefined
}

export const addCounts = (tx: Db, { org, id }: ReassignmentRef, counts: BatchCounts) =>
  tx.run(sql`
    update reassignments set changed = changed + ${counts.changed}, failed = failed + ${counts.failed},
      problem = coalesce(problem, ${counts.problem ?? null})
    where org = ${org} and id = ${id}`)

/** Resets the failures of a stopped attempt, because they are tried again. */
export const forgetFailed = (db: Db, { org, id }: ReassignmentRef) =>
  db.run(sql`
    update reassignments set failed = 0, problem = null where org = ${org} and id = ${id} and failed > 0`)

/** Values of one attribute of these records, locked until the end of the transaction. */
export const lockValues = (
  tx: Db,
  { org, obj }: ObjectModel,
  { slug, ids }: { slug: string; ids: readonly string[] },
) =>
  tx.many<{ id: string; value: string | string[] | null }>(sql`
    select r.id, r.data->${slug}::text as value from records r
    where r.org = ${org} and r.obj = ${obj} and r.id = any(${ids}::uuid[]) order by r.id for no key update`)

const openTasksOf = (org: number, userId: string) => sql`
  from activities a where a.org = ${org} and a.assignee = ${userId} and a.type = 'task' and a.completed_at is null`

export const countOpenTasks = (db: Db, org: number, userId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count ${openTasksOf(org, userId)}`)

/** The next open tasks after `after`, locked until the end of the transaction. */
export const lockOpenTasks = (
  tx: Db,
  { org, userId, after, limit }: { org: number; userId: string; after: string; limit: number },
) =>
  tx.many<{ id: string }>(sql`
    select a.id ${openTasksOf(org, userId)} and a.id > ${after}::uuid
    order by a.id limit ${limit} for no key update`)
