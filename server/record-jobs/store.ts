// Statements about jobs, their progress and their results. content-store.ts has the statements about their files.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import type { EmptyCells } from '../../contract/imports.ts'
import type { JobResultStatus } from '../../contract/job-results.ts'
import type { JobDates, JobDecimal } from '../../contract/job-tables.ts'
import {
  type Job,
  type JobFormat,
  type JobStatus,
  type JobType,
  type MatchChoice,
  OPEN_JOB_STATUSES,
} from '../../contract/jobs.ts'
import { JOB_DAYS, JOB_UPLOAD_HOURS } from '../../contract/limits.ts'
import type { SearchSort } from '../../contract/sorts.ts'
import type { Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { CursorPosition } from '../http/cursor.ts'
import { newestFirst, type PageSpan } from '../http/paging.ts'
import { callerOf, mayStill } from '../identity/lasting-rights.ts'
import type { Encoding } from '../imports/csv/encoding.ts'

/** The payload of the queued job. */
export interface JobRef {
  org: number
  id: string
}

/** The requested settings, as they are stored. */
export interface JobSettings {
  format?: JobFormat
  matchOn?: string
  duplicates?: MatchChoice
  duplicateRules?: boolean
  createMissing?: boolean
  /** For an import: rows are checked, and nothing is written. */
  dryRun?: boolean
  filter?: object | null
  data?: Record<string, unknown>
  permanent?: boolean
  /** For an export, the slugs of its attributes; all attributes if missing. */
  fields?: string[]
  /** For an export; sorted by id if missing. */
  sort?: SearchSort
  /** For an export with `sort`: the last record of the file; null if no record follows. */
  after?: CursorPosition | null
  /** For an import of CSV, by header: the slug of an attribute, or slug.part; null omits the column. */
  columns?: Record<string, string | null>
  /** For an import of CSV, the columns of the file. For an export, the columns between the id and the times. */
  headers?: string[]
  delimiter?: string
  /** UTF-8 if missing, as in jobs of earlier versions. */
  encoding?: Encoding
  /** `auto` until the file is uploaded. */
  dates?: JobDates
  decimal?: JobDecimal
  emptyCells?: EmptyCells
  /** Whether the uploaded part of the file is not UTF-8 text. */
  hasOtherBytes?: boolean
  /** Whether the job runs the import of the dashboard with the same id, whose file and further settings it reads. */
  ofImport?: boolean
}

export const isThis = ({ org, id }: JobRef): Sql => sql`org = ${org} and id = ${id}`
const isOpen = sql`status = any(${OPEN_JOB_STATUSES as readonly string[]}::text[])`
const isAtWork = sql`status in ('queued', 'running')`

const done = sql`(j.created + j.updated + j.unchanged + j.skipped + j.deleted + j.exported + j.failed)`

const isRead = sql`j.settings->'headers' is not null`

const reading = sql`
  case when j.type = 'import' and j.settings->>'format' = 'csv' then json_build_object(
    'encoding', case when ${isRead} then coalesce(j.settings->>'encoding', 'utf-8') end,
    'delimiter', j.settings->>'delimiter', 'dates', coalesce(j.settings->>'dates', 'ymd'),
    'decimal', coalesce(j.settings->>'decimal', '.'), 'emptyCells', coalesce(j.settings->>'emptyCells', 'keep')) end`

const columns = sql`
  j.id, j.type, b.id as "objectId", j.status, j.settings->>'format' as format, ${reading} as reading,
  j.settings->>'matchOn' as "matchOn", j.settings->>'duplicates' as duplicates,
  coalesce((j.settings->>'duplicateRules')::bool, false) as "duplicateRules",
  coalesce((j.settings->>'createMissing')::bool, false) as "createMissing",
  coalesce((j.settings->>'dryRun')::bool, false) as "dryRun",
  json_build_object('done', ${done}, 'total', j.total, 'created', j.created, 'updated', j.updated, 'unchanged', j.unchanged, 'skipped', j.skipped,
    'deleted', j.deleted, 'exported', j.exported, 'failed', j.failed) as progress,
  j.id as "changeSetId", j.error,
  (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = j.created_by) as "createdBy",
  j.created_at as "createdAt", j.started_at as "startedAt", j.completed_at as "completedAt"`

const visible = sql`record_jobs j join objects b on b.org = j.org and b.obj = j.obj and b.deleted_at is null`

interface InsertedJob extends JobRef {
  obj: number
  type: JobType
  status: JobStatus
  settings: JobSettings
  /** The last record that the job processes. */
  untilId: string | null
  total: number | null
  caller: Caller
}

export const insertJob = (db: Db, job: InsertedJob) =>
  db.run(sql`
    insert into record_jobs (org, id, obj, type, status, settings, until_id, total, created_by, api_key)
    values (${job.org}, ${job.id}, ${job.obj}, ${job.type}, ${job.status}, ${JSON.stringify(job.settings)}::jsonb,
      ${job.untilId}, ${job.total}, ${job.caller.userId}, ${job.caller.keyId})`)

/** @throws 404 not_found */
export async function getJob(db: Db, org: number, id: string): Promise<Job> {
  const row = isUuid(id)
    ? await db.maybeOne<Job>(sql`select ${columns} from ${visible} where j.org = ${org} and j.id = ${id}`)
    : undefined
  if (!row) throw notFound('job')
  return row
}

/** The API key that created the job; null if a member did. */
export const findJobKey = (db: Db, { org, id }: JobRef): Promise<string | null | undefined> =>
  db.maybeValue<string | null>(sql`select api_key from record_jobs where ${isThis({ org, id })}`)

/** An open job of the same member with the same settings that was not created with an API key. */
export const findSameOpenJob = (
  db: Db,
  {
    org,
    obj,
    type,
    settings,
    userId,
  }: Pick<InsertedJob, 'org' | 'obj' | 'type' | 'settings'> & Pick<Caller, 'userId'>,
): Promise<Job | undefined> =>
  db.maybeOne<Job>(sql`
    select ${columns} from ${visible}
    where j.org = ${org} and j.obj = ${obj} and j.type = ${type} and j.settings - 'after' = ${JSON.stringify(settings)}::jsonb
      and j.created_by = ${userId} and j.api_key is null and ${isAtWork} order by j.id limit 1`)

export const selectJobs = (db: Db, org: number, page: PageSpan) =>
  db.many<Job>(sql`select ${columns} from ${visible} where j.org = ${org} ${newestFirst(sql`j.id`, page)}`)

export const countJobs = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*)::int as total from ${visible} where j.org = ${org}`)

/** A job that has ended stays unchanged. The position of a sorted export, which has values of a record, is not kept. */
export const endJob = (
  db: Db,
  ref: JobRef,
  { status, error = null }: { status: JobStatus; error?: string | null },
) =>
  db.run(sql`
    update record_jobs set status = ${status}, error = ${error}, completed_at = now(), settings = settings - 'after'
    where ${isThis(ref)} and ${isOpen}`)

export interface OpenJob extends JobRef {
  objectId: string
  type: JobType
  settings: JobSettings
  /** Size of the file in bytes. */
  bytes: number
  total: number | null
  readBytes: number
  readLines: number
  /** The last record that was read, and the last record to process; null if none was read, or there is none. */
  lastId: string | null
  untilId: string | null
  /** The member or key that requested the job; null if they may no longer run it. */
  caller: Caller | null
}

/** Whether the results reveal record data: by a filter, or by duplicate rules. */
const isReading = sql`(j.type <> 'import' or coalesce((j.settings->>'duplicateRules')::bool, false))`

const openJob = ({ org, id }: JobRef): Sql => sql`
    select j.org, j.id, b.id as "objectId", j.type, j.settings, j.bytes, j.total, j.read_bytes as "readBytes",
      j.read_lines as "readLines", j.last_id as "lastId", j.until_id as "untilId",
      case when (j.type = 'export' or ${mayStill('records:write')}) and (not ${isReading} or ${mayStill('records:read')})
        then ${callerOf} end as caller
    from record_jobs j join organizations o on o.org = j.org join objects b on b.org = j.org and b.obj = j.obj
    where j.org = ${org} and j.id = ${id} and j.status in ('queued', 'running')`

/** @returns undefined if the job has ended or waits for its file */
export const findOpenJob = (db: Db, ref: JobRef): Promise<OpenJob | undefined> =>
  db.maybeOne<OpenJob>(openJob(ref))

/** Locks a job for one batch; a second worker waits. @returns undefined if the job has ended */
export const lockJob = (tx: Db, ref: JobRef): Promise<OpenJob | undefined> =>
  tx.maybeOne<OpenJob>(sql`${openJob(ref)} for update of j`)

/** The position of the next batch. */
export interface JobPosition {
  readBytes?: number
  /** Number of lines of the file, or of records, that were processed. */
  readLines: number
  lastId?: string
}

export const saveJobProgress = (
  tx: Db,
  ref: JobRef,
  counts: Readonly<Record<JobResultStatus, number>>,
  { readBytes = 0, readLines, lastId }: JobPosition,
) =>
  tx.run(sql`
    update record_jobs set status = 'running', started_at = coalesce(started_at, now()), tries = 0,
      created = created + ${counts.created}, updated = updated + ${counts.updated},
      unchanged = unchanged + ${counts.unchanged}, skipped = skipped + ${counts.skipped},
      deleted = deleted + ${counts.deleted}, failed = failed + ${counts.failed}, read_bytes = ${readBytes},
      read_lines = ${readLines}, last_id = ${lastId ?? null}
    where ${isThis(ref)}`)

export const getUploaded = (db: Db, { org, id }: JobRef) =>
  db.one<Pick<OpenJob, 'objectId' | 'settings'>>(sql`
    select b.id as "objectId", j.settings from ${visible} where j.org = ${org} and j.id = ${id}`)

/** Stores the settings that were detected from the file. */
export const addJobSettings = (tx: Db, ref: JobRef, settings: JobSettings) =>
  tx.run(sql`
    update record_jobs set settings = settings || ${JSON.stringify(settings)}::jsonb where ${isThis(ref)}`)

/** The position after a batch: by id, or with `sort` by `after`. */
export interface ExportPosition {
  lastId: string | null
  after?: JobSettings['after']
}

interface Exported extends ExportPosition {
  records: number
  /** The new size of the file. */
  bytes: number
}

export const saveExported = (tx: Db, ref: JobRef, { records, bytes, lastId, after }: Exported) =>
  tx.run(sql`
    update record_jobs set status = 'running', started_at = coalesce(started_at, now()), tries = 0,
      exported = exported + ${records}, bytes = ${bytes}, last_id = ${lastId},
      settings = settings || ${JSON.stringify({ after })}::jsonb
    where ${isThis(ref)}`)

export const saveJobTotal = (tx: Db, ref: JobRef, total: number) =>
  tx.run(
    sql`update record_jobs set total = ${total}, started_at = coalesce(started_at, now()) where ${isThis(ref)}`,
  )

/** Corrects the total: empty lines were counted but are no rows, and records may no longer match. */
export const completeJob = (tx: Db, ref: JobRef) =>
  tx.run(sql`
    update record_jobs j set status = 'completed', started_at = coalesce(started_at, now()), completed_at = now(),
      total = ${done}
    where ${isThis(ref)}`)

/** @returns the number of failed attempts since the last batch, including this one */
export const countJobTry = async (db: Db, ref: JobRef): Promise<number> =>
  (await db.maybeValue<number>(
    sql`update record_jobs set tries = tries + 1 where ${isThis(ref)} returning tries`,
  )) ?? 0

/** Number of organizations with jobs that are queued or running. */
export const countOrganizationsAtWork = (db: Db): Promise<number> =>
  db.value<number>(
    sql`select count(distinct org)::int as count from record_jobs where ${isAtWork} and not settings ? 'ofImport'`,
  )

/** @param startsAt must be lower than that of each later batch */
export const insertResults = (
  tx: Db,
  { org, id }: JobRef,
  { startsAt, results }: { startsAt: number; results: string },
) =>
  tx.run(sql`
    insert into record_job_results (org, job, starts_at, results) values (${org}, ${id}, ${startsAt}, ${results})`)

/** The results, one batch at a time, in the order of the file. */
export async function* readResults(db: Db, { org, id }: JobRef): AsyncGenerator<string> {
  for (let after = -1; ; ) {
    const batch = await db.maybeOne<{ startsAt: number; results: string }>(sql`
      select starts_at as "startsAt", results from record_job_results
      where org = ${org} and job = ${id} and starts_at > ${after} order by starts_at limit 1`)
    if (!batch) return
    yield batch.results
    after = batch.startsAt
  }
}

/**
 * Also deletes its file and results, and the import of the dashboard that it ran.
 * @returns false if the job is open
 */
export const removeJob = async (db: Db, ref: JobRef): Promise<boolean> =>
  (await db.value<number>(sql`
    with removed as (delete from record_jobs where ${isThis(ref)} and not ${isOpen} returning org, id),
    import as (delete from imports i using removed r where i.org = r.org and i.id = r.id)
    select count(*)::int as count from removed`)) > 0

const BATCH = 10

/** Also deletes their files and results. @returns the number of deleted jobs */
export const deleteOldJobs = (db: Db, now: Date): Promise<number> =>
  db.run(sql`
    delete from record_jobs where (org, id) in (
      select org, id from record_jobs
      where not ${isAtWork} and created_at < ${now}::timestamptz - case
        when status = 'awaiting_upload' then make_interval(hours => ${JOB_UPLOAD_HOURS})
        else make_interval(days => ${JOB_DAYS}) end
      limit ${BATCH})`)
