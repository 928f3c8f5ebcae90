// Statements about requests: the log of what was done with the data of records, and the progress of erasures.
import sql, { type Sql } from 'sql-template-tag'
import { ERASURE_KINDS, type ErasureCounts, type PrivacyRequest } from '../../contract/privacy.ts'
import type { Author, Caller } from '../base/caller.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { newestFirst, type PageSpan } from '../http/paging.ts'

/** The payload of its job. */
export interface RequestRef {
  org: number
  id: string
}

export interface Erasure extends RequestRef {
  obj: number
  objectId: string
  recordIds: string[]
  step: number
  place: string | null
  /** Records, activities and workflow runs whose events are erased. */
  subjects: string[]
  files: string[]
  /** Encrypted. */
  markers: Buffer | null
  author: ErasureAuthor
}

/** The user or key that requested the erasure; neither for a rule of an object. */
export type ErasureAuthor = Author & Pick<Caller, 'orgId' | 'country' | 'currency'>

const columns = (steps: number): Sql => sql`
  p.id, p.kind, p.reason, p.object_id as "objectId", p.record_ids as "recordIds", p.state,
  json_build_object('done', case p.state when 'completed' then ${steps}::int else p.step end, 'total', ${steps}::int) as progress,
  p.waits_for as "waitsFor", p.problem,
  (select json_object_agg(k.kind, coalesce((p.counts->>k.kind)::int, 0)) from unnest(${ERASURE_KINDS}::text[]) as k(kind)) as counts,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "createdBy",
  p.created_at as "createdAt", p.finished_at as "finishedAt"`

const joined = sql`privacy_requests p left join users u on u.id = p.created_by`

/** Newest first. */
export const selectRequests = (
  db: Db,
  org: number,
  steps: number,
  page: PageSpan,
): Promise<PrivacyRequest[]> =>
  db.many<PrivacyRequest>(
    sql`select ${columns(steps)} from ${joined} where p.org = ${org} ${newestFirst(sql`p.id`, page)}`,
  )

export const countRequests = (db: Db, org: number) =>
  db.value<number>(sql`select count(*) from privacy_requests where org = ${org}`)

export const findRequest = (
  db: Db,
  { org, id }: RequestRef,
  steps: number,
): Promise<PrivacyRequest | undefined> =>
  db.maybeOne<PrivacyRequest>(
    sql`select ${columns(steps)} from ${joined} where p.org = ${org} and p.id = ${id}`,
  )

interface NewErasure {
  obj: number
  objectId: string
  recordIds: readonly string[]
  reason: PrivacyRequest['reason']
  userId: string | null
  keyId: string | null
}

export async function insertErasure(tx: Db, org: number, row: NewErasure): Promise<string> {
  const id = newId()
  await tx.run(sql`
    insert into privacy_requests (org, id, kind, reason, obj, object_id, record_ids, created_by, api_key)
    values (${org}, ${id}, 'erasure', ${row.reason}, ${row.obj}, ${row.objectId}, ${row.recordIds}::uuid[],
      ${row.userId}::uuid, ${row.keyId}::uuid)`)
  return id
}

/** Adds the log entry of an archive: who downloaded what, and when. */
export const insertArchive = (
  db: Db,
  { org, userId, keyId }: Author,
  { obj, objectId, recordId }: { obj: number; objectId: string; recordId: string },
) =>
  db.run(sql`
    insert into privacy_requests (org, id, kind, obj, object_id, record_ids, state, created_by, api_key, finished_at)
    values (${org}, ${newId()}, 'archive', ${obj}, ${objectId}, array[${recordId}::uuid], 'completed',
      ${userId}::uuid, ${keyId}::uuid, now())`)

export interface OpenErasure extends Pick<PrivacyRequest, 'id' | 'objectId' | 'state'> {}

/** The running erasure of the record, or else the last failed one. */
export const findOpenErasure = (db: Db, org: number, recordId: string): Promise<OpenErasure | undefined> =>
  db.maybeOne<OpenErasure>(sql`
    select id, object_id as "objectId", state from privacy_requests
    where org = ${org} and kind = 'erasure' and state in ('running', 'failed')
      and record_ids @> array[${recordId}::uuid]
    order by state = 'running' desc, id desc limit 1`)

/**
 * Resumes a failed erasure. @param isWhole whether the record still exists: it may have changed, so every step is
 * repeated
 * @returns the number of rows; 0 if another request was faster
 */
export const resumeErasure = (tx: Db, { org, id }: RequestRef, isWhole: boolean): Promise<number> =>
  tx.run(sql`
    update privacy_requests set state = 'running', problem = null, finished_at = null, tries = 0,
      step = case when ${isWhole} then 0 else step end, place = case when ${isWhole} then null else place end,
      markers = case when ${isWhole} then null else markers end
    where org = ${org} and id = ${id} and state = 'failed'`)

const author = sql`(
  select json_build_object('org', o.org, 'orgId', o.id, 'keyId', p.api_key, 'country', o.country, 'currency', o.currency,
    'userId', p.created_by)
  from organizations o where o.org = p.org)`

/** @param lock makes a second worker wait for the first */
export const findErasure = (
  db: Db,
  { org, id }: RequestRef,
  { lock }: { lock: boolean },
): Promise<Erasure | undefined> =>
  db.maybeOne<Erasure>(sql`
    select p.org, p.id, p.obj, p.object_id as "objectId", p.record_ids as "recordIds", p.step, p.place, p.subjects,
      p.files, p.markers, ${author} as author
    from privacy_requests p where p.org = ${org} and p.id = ${id} and p.kind = 'erasure' and p.state = 'running'
    ${lock ? sql`for update of p` : sql``}`)

export interface ErasureProgress {
  step: number
  place: string | null
  counts: Partial<ErasureCounts>
  subjects: readonly string[]
  files: readonly string[]
  waitsFor: PrivacyRequest['waitsFor']
}

/** Runs in the transaction that removed what is counted. */
export const saveErasureProgress = (tx: Db, { org, id }: RequestRef, progress: ErasureProgress) =>
  tx.run(sql`
    update privacy_requests p set step = ${progress.step}, place = ${progress.place}, waits_for = ${progress.waitsFor},
      tries = 0,
      subjects = array(select distinct s from unnest(p.subjects || ${progress.subjects}::uuid[]) as s),
      files = array(select distinct f from unnest(p.files || ${progress.files}::uuid[]) as f),
      counts = p.counts || coalesce((
        select jsonb_object_agg(c.key, coalesce((p.counts->>c.key)::int, 0) + c.value::int)
        from jsonb_each_text(${JSON.stringify(progress.counts)}::jsonb) as c), '{}')
    where p.org = ${org} and p.id = ${id}`)

export const saveMarkers = (tx: Db, { org, id }: RequestRef, markers: Buffer) =>
  tx.run(sql`update privacy_requests set markers = ${markers} where org = ${org} and id = ${id}`)

/** @returns the number of failures since the last progress, including this one; 0 if the erasure is not running */
export const countErasureTry = async (db: Db, { org, id }: RequestRef): Promise<number> =>
  (await db.maybeValue<number>(sql`
    update privacy_requests set tries = tries + 1 where org = ${org} and id = ${id} and state = 'running'
    returning tries`)) ?? 0

/** Keeps the place and the markers, so that the erasure can continue. */
export const failErasure = (db: Db, { org, id }: RequestRef, problem: string): Promise<number> =>
  db.run(sql`
    update privacy_requests set state = 'failed', problem = ${problem}, finished_at = now(), waits_for = null
    where org = ${org} and id = ${id} and state = 'running'`)

/** Keeps only the entry in the log. */
export const endErasure = (tx: Db, { org, id }: RequestRef): Promise<number> =>
  tx.run(sql`
    update privacy_requests set state = 'completed', finished_at = now(), waits_for = null, place = null,
      subjects = '{}', files = '{}', markers = null
    where org = ${org} and id = ${id} and state = 'running'`)
