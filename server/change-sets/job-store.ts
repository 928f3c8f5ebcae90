// Statements about undo jobs and their conflicts.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import { UNDO_JOB_DAYS } from '../../contract/limits.ts'
import type { UndoJob, UndoJobStatus } from '../../contract/undo-jobs.ts'
import type { Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { newestFirst, type PageSpan } from '../http/paging.ts'
import { callerOf, mayStill } from '../identity/lasting-rights.ts'
import type { ChangeCounts, NextChanges } from './changes-store.ts'
import type { Source } from './source.ts'
import type { FoundConflict, UndoneWave } from './undo-wave.ts'

/** The payload of the job. */
export interface UndoJobRef {
  org: number
  id: string
}

/** Whether the id is of a reassignment that has not ended. */
export const isReassigning = async (db: Db, { org, id }: UndoJobRef): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from reassignments where org = ${org} and id = ${id} and state = 'running'`)) !== undefined

const columns = sql`
  j.id, case when j.kind = 'changeSet' and exists (
    select from reassignments r where r.org = j.org and r.id = j.source) then 'reassignment' else j.kind end as kind,
  j.source as "sourceId", j.from_at as "from", j.to_at as "to", j.status, j.created, j.updated, j.deleted,
  j.others as "otherChanges", j.created + j.updated + j.deleted as total, j.done, j.restored, j.trashed, j.returned,
  (select count(*)::int from undo_conflicts c where c.org = j.org and c.job = j.id) as "conflictCount", j.error,
  (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = j.created_by) as "createdBy",
  j.created_at as "createdAt", j.completed_at as "completedAt"`

const isThis = ({ org, id }: UndoJobRef): Sql => sql`org = ${org} and id = ${id}`

export const insertUndoJob = (
  tx: Db,
  { id, source, counts, caller }: { id: string; source: Source; counts: ChangeCounts; caller: Caller },
) =>
  tx.run(sql`
    insert into undo_jobs (org, id, kind, source, first_event, position, from_at, to_at, created, updated, deleted, others,
      created_by, api_key)
    values (${source.org}, ${id}, ${source.kind}, ${source.id}, ${source.firstEvent}, ${source.position}, ${source.from},
      ${source.to}, ${counts.created}, ${counts.updated}, ${counts.deleted},
      ${counts.otherActivities + counts.otherComments + counts.otherFiles}, ${caller.userId}, ${caller.keyId})`)

/** @throws 404 not_found */
export async function getUndoJob(db: Db, org: number, id: string): Promise<UndoJob> {
  const row = isUuid(id)
    ? await db.maybeOne<UndoJob>(
        sql`select ${columns} from undo_jobs j where j.org = ${org} and j.id = ${id}`,
      )
    : undefined
  if (!row) throw notFound('undo job')
  return row
}

export const selectUndoJobs = (db: Db, org: number, page: PageSpan) =>
  db.many<UndoJob>(sql`
    select ${columns} from undo_jobs j where j.org = ${org} ${newestFirst(sql`j.id`, page)}`)

export const countUndoJobs = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*)::int as total from undo_jobs where org = ${org}`)

/** A job that has ended stays unchanged. */
export const endUndoJob = (
  db: Db,
  ref: UndoJobRef,
  { status, error = null }: { status: UndoJobStatus; error?: string | null },
) =>
  db.run(sql`
    update undo_jobs set status = ${status}, error = ${error}, completed_at = now()
    where ${isThis(ref)} and status in ('queued', 'running')`)

export interface OpenUndoJob extends UndoJobRef {
  /** The author of the undone comments is added at the start of each batch. */
  source: Omit<Source, 'commentsOf'>
  /** For an import, the object of its rows. */
  ownObject: string | null
  /** The member or key that requested the job; null if they may no longer write records. */
  caller: Caller | null
}

/** Locks a job for one batch; a second worker waits. @returns undefined if the job has ended */
export const lockUndoJob = (tx: Db, { org, id }: UndoJobRef): Promise<OpenUndoJob | undefined> =>
  tx.maybeOne<OpenUndoJob>(sql`
    select j.org, j.id,
      json_build_object('org', j.org, 'kind', j.kind, 'id', j.source, 'firstEvent', j.first_event, 'position', j.position,
        'withActivities', ${mayStill('activities:write')}, 'withComments', ${mayStill('comments:write')},
        'withActivityFiles', ${mayStill('attachments:write')},
        'from', null, 'to', null) as source,
      (select b.id from imports i join objects b on b.org = i.org and b.obj = i.obj
       where j.kind = 'import' and i.org = j.org and i.id = j.source) as "ownObject",
      case when ${mayStill('records:write')} then ${callerOf} end as caller
    from undo_jobs j join organizations o on o.org = j.org
    where j.org = ${org} and j.id = ${id} and j.status in ('queued', 'running') for update of j`)

export const saveProgress = (
  tx: Db,
  ref: UndoJobRef,
  { looked, position }: NextChanges,
  { restored, trashed, returned }: UndoneWave,
) =>
  tx.run(sql`
    update undo_jobs set status = 'running', position = ${position}, done = done + ${looked}, tries = 0,
      restored = restored + ${restored}, trashed = trashed + ${trashed}, returned = returned + ${returned}
    where ${isThis(ref)}`)

/** Number of organizations with an undo job that is queued or running. */
export const countUndoingOrganizations = (db: Db): Promise<number> =>
  db.value<number>(
    sql`select count(distinct org)::int as count from undo_jobs where status in ('queued', 'running')`,
  )

/** @returns the number of failed attempts since the last batch, including this one */
export const countUndoTry = async (db: Db, ref: UndoJobRef): Promise<number> =>
  (await db.maybeValue<number>(
    sql`update undo_jobs set tries = tries + 1 where ${isThis(ref)} returning tries`,
  )) ?? 0

const rowOf = ({ change, slug, code, other }: FoundConflict) => ({
  ...{ obj: change.obj, event: change.event, record: change.recordId, version: change.version },
  ...{ slug: slug ?? '', code, other },
})

/** Changes are undone from the last to the first, so of several conflicts of a value the first change is kept. */
export async function saveConflicts(
  tx: Db,
  { org, id }: UndoJobRef,
  conflicts: readonly FoundConflict[],
): Promise<void> {
  const rows = new Map(conflicts.map((one) => [`${one.change.recordId} ${one.slug}`, rowOf(one)]))
  if (rows.size === 0) return
  await tx.run(sql`
    insert into undo_conflicts (org, job, obj, event, record, version, slug, code, other)
    select ${org}, ${id}, c.obj, c.event, c.record, c.version, c.slug, c.code, c.other
    from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb)
      as c(obj int, event uuid, record uuid, version int, slug text, code text, other uuid)
    on conflict (org, job, record, slug) do update set event = excluded.event, version = excluded.version,
      code = excluded.code, other = excluded.other`)
}

const BATCH = 100

/** @returns the number of deleted jobs */
export const deleteOldUndoJobs = (db: Db, now: Date): Promise<number> =>
  db.run(sql`
    delete from undo_jobs where (org, id) in (
      select org, id from undo_jobs
      where status not in ('queued', 'running') and created_at < ${now}::timestamptz - make_interval(days => ${UNDO_JOB_DAYS})
      limit ${BATCH})`)
