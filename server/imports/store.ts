// Statements about imports: the import itself, its states, its file and its failed rows.
import sql, { type Sql } from 'sql-template-tag'
import {
  IMPORT_ACTIONS,
  IMPORT_FILE_DAYS,
  IMPORT_SKIPS_MAX,
  type ImportAction,
} from '../../contract/import-states.ts'
import type { CheckResult, Import, ImportSummary, SkippedRow } from '../../contract/imports.ts'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { Encoding } from './csv/encoding.ts'
import type { Survey } from './csv/survey.ts'
import type { FailedFileRow } from './failed-file.ts'
import type { ProblemGroups } from './problem-groups.ts'
import type { ImportSettings } from './settings.ts'

/** Which import: ids are unique within an organization. */
export interface ImportRef {
  org: number
  id: string
}

const isThis = ({ org, id }: ImportRef): Sql => sql`org = ${org} and id = ${id}`

/** Inserted before the upload; not visible until finishUpload. */
export const insertImport = (
  db: Db,
  { org, id }: ImportRef,
  { obj, fileName, userId }: { obj: number; fileName: string; userId: string },
) =>
  db.run(sql`
    insert into imports (org, id, obj, file_name, created_by)
    values (${org}, ${id}, ${obj}, ${fileName}, ${userId})`)

interface SentChunk {
  place: number
  /** Bytes of the file before the chunk. */
  offset: number
  bytes: Buffer
}

/** @returns false if the upload is not at this offset, because another request has sent this part of the file */
export const insertChunk = async (
  db: Db,
  { org, id }: ImportRef,
  { place, offset, bytes }: SentChunk,
): Promise<boolean> =>
  (await db.run(sql`
    with counted as (
      update imports set bytes = bytes + ${bytes.length}::bigint
      where org = ${org} and id = ${id} and state = 'uploading' and bytes = ${offset} returning id)
    insert into import_chunks (org, import, place, bytes) select ${org}, id, ${place}, ${bytes} from counted`)) >
  0

export interface StoredUpload {
  /** Bytes received. */
  offset: number
  chunks: number
  isComplete: boolean
}

/** An upload of this member. */
export const findUpload = (
  db: Db,
  { org, id }: ImportRef,
  userId: string,
): Promise<StoredUpload | undefined> =>
  db.maybeOne<StoredUpload>(sql`
    select bytes::float8 as offset, state <> 'uploading' as "isComplete",
      (select count(*)::int from import_chunks where org = ${org} and import = ${id}) as chunks
    from imports where org = ${org} and id = ${id} and created_by = ${userId}`)

/** @returns 0 if the import has no unfinished upload of this member */
export const removeUpload = (db: Db, { org, id }: ImportRef, userId: string): Promise<number> =>
  db.run(sql`
    delete from imports where org = ${org} and id = ${id} and created_by = ${userId} and state = 'uploading'`)

/** The bytes of the uploaded file, one piece at a time. */
export async function* readChunks(db: Db, { org, id }: ImportRef): AsyncGenerator<Buffer> {
  for (let place = 0; ; place++) {
    const row = await db.maybeOne<{ bytes: Buffer }>(
      sql`select bytes from import_chunks where org = ${org} and import = ${id} and place = ${place}`,
    )
    if (!row) return
    yield row.bytes
  }
}

export const finishUpload = (
  db: Db,
  ref: ImportRef,
  { bytes, encoding, survey }: { bytes: number; encoding: Encoding; survey: Survey },
) =>
  db.run(sql`
    update imports set state = 'uploaded', bytes = ${bytes}, encoding = ${encoding}, delimiter = ${survey.delimiter},
      rows = ${survey.rows}, columns = ${JSON.stringify(survey.columns)}::jsonb,
      preview = ${JSON.stringify(survey.preview)}::jsonb
    where ${isThis(ref)} and state = 'uploading'`)

/** Also deletes its chunks, failed rows and claims. */
export const deleteImport = (db: Db, ref: ImportRef) => db.run(sql`delete from imports where ${isThis(ref)}`)

const seconds = sql`extract(epoch from coalesce(i.finished_at, now()) - i.started_at)`

/** Not `rows_done`: that is where an import continues, and it counts rows without any value too. */
const done = sql`(i.created + i.updated + i.failed + i.skipped)`

const undo = sql`
  case when i.undone_at is not null then 'undone'
    when i.state = any(${IMPORT_ACTIONS.undo as readonly string[]}::text[]) and exists (
      select from change_set_batches b where b.org = i.org and b.change_set = i.id
        and uuid_extract_timestamp(b.id) > now() - make_interval(hours => ${UNDO_HOURS})) then 'possible'
    else 'none' end`

const summary = sql`
  i.id, o.id as "objectId", i.file_name as "fileName", i.state, i.bytes, i.rows, i.error,
  json_build_object('rows', ${done}, 'created', i.created, 'updated', i.updated, 'failed', i.failed, 'skipped', i.skipped,
    'rowsPerSecond', case when i.rows_done > 0 then round((i.rows_done / greatest(${seconds}, 0.001))::numeric, 1)::float8 end)
    as progress, i.related, ${undo} as undo,
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as "createdBy",
  date_trunc('milliseconds', uuid_extract_timestamp(i.id)) as "createdAt",
  i.started_at as "startedAt", i.finished_at as "finishedAt", i.file_removed_at is null as "hasFile"`

const visible = sql`
  imports i join objects o on o.org = i.org and o.obj = i.obj and o.deleted_at is null
  join users u on u.id = i.created_by`

export interface ImportRow
  extends Omit<
    Import,
    'encoding' | 'guess' | 'mapping' | 'matchOn' | 'duplicates' | 'format' | 'empty' | 'fixedValues'
  > {
  encoding: Encoding
  settings: ImportSettings | null
}

/** @returns undefined if there is no such import, or its file is not complete */
export const findImport = (db: Db, { org, id }: ImportRef) =>
  db.maybeOne<ImportRow>(sql`
    select ${summary}, i.encoding, i.delimiter, i.columns, i.preview, i.settings,
      i.skips as "skippedRows", i.check_result as "check"
    from ${visible} where i.org = ${org} and i.id = ${id} and i.state <> 'uploading'`)

const RECENT = 50

/** The newest import first. */
export const selectImports = (db: Db, org: number, obj: number) =>
  db.many<ImportSummary>(sql`
    select ${summary} from ${visible} where i.org = ${org} and i.obj = ${obj} and i.state <> 'uploading'
    order by i.id desc limit ${RECENT}`)

const from = (action: ImportAction): Sql =>
  sql`state = any(${IMPORT_ACTIONS[action] as readonly string[]}::text[])`

const fresh = sql`
  generation = generation + 1, rows_done = 0, created = 0, updated = 0, failed = 0, matched = 0, skipped = 0,
  skips = default, problems = '[]',
  problem_groups = default, related = default, error = null, tries = 0, started_at = now(), finished_at = null`

/** Each change of the state returns false if another request has changed it first. */
export const beginCheck = async (tx: Db, ref: ImportRef, settings: ImportSettings & { startedBy: string }) =>
  (await tx.run(sql`
    update imports set state = 'checking', settings = ${JSON.stringify(settings)}::jsonb, check_result = null, ${fresh}
    where ${isThis(ref)} and ${from('check')} and file_removed_at is null`)) > 0

/** Marks the run as a job: migration 0081 makes the database refuse its writes by processes of earlier versions. */
export const BY_JOB = sql`settings || '{"isJob": true}'`

/** Only changes the state: the job of the import writes the rows. */
export const beginRun = async (tx: Db, ref: ImportRef, started: { startedBy: string; until?: string }) =>
  (await tx.run(sql`
    update imports set state = 'running', settings = ${BY_JOB} || ${JSON.stringify(started)}::jsonb, ${fresh}
    where ${isThis(ref)} and ${from('run')} and file_removed_at is null`)) > 0

/** A cancelled check keeps the uploaded file, for another mapping. A run of an earlier version has no job yet. */
export const cancelStoredImport = async (db: Db, ref: ImportRef) =>
  (await db.run(sql`
    update imports set state = case state when 'checking' then 'uploaded' else 'cancelled' end, finished_at = now(),
      generation = generation + 1
    where ${isThis(ref)} and ${from('cancel')}`)) > 0

/** Runs in the transaction that undoes the last batch. */
export const markUndone = (tx: Db, ref: ImportRef) =>
  tx.run(sql`update imports set undone_at = now() where ${isThis(ref)}`)

/** Also deletes the job that ran the import, because its results may contain rows. */
export const removeImport = async (db: Db, ref: ImportRef) =>
  (await db.value<number>(sql`
    with removed as (delete from imports where ${isThis(ref)} and ${from('delete')} returning org, id),
    job as (delete from record_jobs j using removed r where j.org = r.org and j.id = r.id)
    select count(*)::int as count from removed`)) > 0

/** The state of a check that the worker continues. */
export interface ActiveImport extends ImportRef {
  objectId: string
  generation: number
  encoding: Encoding
  delimiter: string
  headers: string[]
  settings: ImportSettings
  rowsInFile: number
  rowsDone: number
  /** The user who started the check; null when they are no longer a member. */
  caller: Caller | null
}

/** @returns undefined if the import is not being checked */
export const findActive = (db: Db, { org, id }: ImportRef) =>
  db.maybeOne<ActiveImport>(sql`
    select i.org, i.id, o.id as "objectId", i.generation, i.encoding, i.delimiter, i.settings,
      i.rows as "rowsInFile", i.rows_done as "rowsDone",
      (select coalesce(json_agg(c->>'header' order by place), '[]') from jsonb_array_elements(i.columns)
        with ordinality as e(c, place)) as headers,
      (select json_build_object('org', g.org, 'orgId', g.id, 'userId', m.user_id, 'keyId', null,
         'country', g.country, 'currency', g.currency)
       from organizations g join members m on m.organization_id = g.id
       where g.org = i.org and m.user_id = coalesce((i.settings->>'startedBy')::uuid, i.created_by)) as caller
    from imports i join objects o on o.org = i.org and o.obj = i.obj
    where i.org = ${org} and i.id = ${id} and i.state = 'checking'`)

/** Number of organizations with imports that are being checked or run, or that wait for it. */
export const countImportingOrganizations = (db: Db): Promise<number> =>
  db.value<number>(
    sql`select count(distinct org) as count from imports where state in ('checking', 'running')`,
  )

/**
 * Locks the import for one batch.
 * @returns how many rows are done; undefined when this check is over
 */
export const lockProgress = (
  tx: Db,
  { org, id, generation }: Pick<ActiveImport, 'org' | 'id' | 'generation'>,
): Promise<number | undefined> =>
  tx.maybeValue<number>(sql`
    select rows_done as "rowsDone" from imports
    where org = ${org} and id = ${id} and generation = ${generation} and state = 'checking' for update`)

export interface BatchCounts {
  /** Number of rows, including rows without any value. */
  rows: number
  created: number
  updated: number
  failed: number
  /** Number of rows that match a record, left out or not. */
  matched: number
  skips: readonly SkippedRow[]
}

/** Adds skipped rows, but only while fewer than IMPORT_SKIPS_MAX are stored. */
export const withSkips = (skips: readonly SkippedRow[]): Sql => sql`
  case when jsonb_array_length(skips) < ${IMPORT_SKIPS_MAX}
    then skips || ${JSON.stringify(skips.slice(0, IMPORT_SKIPS_MAX))}::jsonb else skips end`

export const addProgress = (
  tx: Db,
  ref: ImportRef,
  { rows, created, updated, failed, matched, skips }: BatchCounts,
) =>
  tx.run(sql`
    update imports set rows_done = rows_done + ${rows}, created = created + ${created},
      updated = updated + ${updated}, failed = failed + ${failed}, tries = 0,
      matched = matched + ${matched}, skipped = skipped + ${skips.length},
      skips = ${withSkips(skips)}
    where ${isThis(ref)}`)

/** How many problems of a check are kept. */
const PROBLEMS_MAX = 100

export const addProblems = (tx: Db, ref: ImportRef, problems: CheckResult['problems']) =>
  tx.run(sql`
    update imports set problems = (
      select jsonb_agg(problem order by place) from jsonb_array_elements(problems || ${JSON.stringify(problems)}::jsonb)
        with ordinality as e(problem, place) where place <= ${PROBLEMS_MAX})
    where ${isThis(ref)} and jsonb_array_length(problems) < ${PROBLEMS_MAX}`)

export const selectImportGroups = (tx: Db, ref: ImportRef): Promise<ProblemGroups> =>
  tx.value<ProblemGroups>(sql`select problem_groups as groups from imports where ${isThis(ref)}`)

/** Runs in the transaction that locks the import. Each call replaces all groups. */
export const saveGroups = (tx: Db, ref: ImportRef, groups: ProblemGroups) =>
  tx.run(sql`update imports set problem_groups = ${JSON.stringify(groups)}::jsonb where ${isThis(ref)}`)

/** Corrects the count of files that were uploaded to earlier versions, which included rows without values. */
const counted = sql`rows = created + updated + failed + skipped`

export const finishCheck = (tx: Db, ref: ImportRef, { countsMatches }: { countsMatches: boolean }) =>
  tx.run(sql`
    update imports set state = 'checked', ${counted}, finished_at = now(), problems = '[]', problem_groups = default,
      related = default,
      check_result = jsonb_build_object('creates', created, 'updates', updated, 'errors', failed, 'related', related,
        'problems', problems, 'skips', skipped,
        'matches', case when ${countsMatches} then matched end) || problem_groups
    where ${isThis(ref)}`)

type Started = Pick<ActiveImport, 'org' | 'id' | 'generation'>

/** The check can be repeated. */
export const failCheck = (db: Db, { org, id, generation }: Started, error: string) =>
  db.run(sql`
    update imports set state = 'uploaded', error = ${error}, finished_at = now()
    where org = ${org} and id = ${id} and generation = ${generation} and state = 'checking'`)

/** @returns how many tries failed since the last batch, including this one */
export const countImportTry = async (db: Db, { org, id, generation }: Started): Promise<number> =>
  (await db.maybeValue<number>(sql`
    update imports set tries = tries + 1 where org = ${org} and id = ${id} and generation = ${generation}
    returning tries`)) ?? 0

export const insertFailures = (tx: Db, { org, id }: ImportRef, failures: readonly FailedFileRow[]) =>
  tx.run(sql`
    insert into import_failures (org, import, row, line, error, cells)
    select ${org}, ${id}, f.line, f.line, f.error, f.cells
    from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) as f(line int, error text, cells jsonb)`)

const PAGE = 500

/** Failed rows in the order of the file, a page at a time. */
export async function* readFailures(db: Db, { org, id }: ImportRef): AsyncGenerator<FailedFileRow[]> {
  for (let after = -1; ; ) {
    const page = await db.many<FailedFileRow & { row: number }>(sql`
      select row, line, error, cells from import_failures
      where org = ${org} and import = ${id} and row > ${after} order by row limit ${PAGE}`)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.row ?? after
  }
}

/** An upload that takes longer was interrupted. */
const UPLOAD_HOURS = 24

const before = (time: Date, age: Sql): Sql =>
  sql`uuid_extract_timestamp(id) < ${time.toISOString()}::timestamptz - ${age}`

/** @returns how many imports were removed, at most a few */
export const removeUnfinishedUpload = (db: Db, now: Date) =>
  db.run(sql`
    delete from imports where (org, id) in (
      select org, id from imports
      where state = 'uploading' and ${before(now, sql`make_interval(hours => ${UPLOAD_HOURS})`)} limit 10)`)

/** Removes the file, its preview and the failed rows of one old import. @returns the number of imports, 0 or 1 */
export async function removeOldFile(tx: Db, now: Date): Promise<number> {
  const old = await tx.maybeOne<ImportRef>(sql`
    update imports set file_removed_at = now(), preview = '[]', problems = '[]',
      problem_groups = default, settings = settings - 'replacements',
      related = (select coalesce(jsonb_agg(r || '{"names": []}' order by place), '[]')
        from jsonb_array_elements(related) with ordinality as e(r, place)),
      columns = (select coalesce(jsonb_agg(c || '{"samples": []}' order by place), '[]')
        from jsonb_array_elements(columns) with ordinality as e(c, place)),
      check_result = check_result || '{"problems": [], "groups": [], "related": []}'
    where (org, id) = (
      select org, id from imports
      where file_removed_at is null and state not in ('uploading', 'checking', 'running')
        and ${before(now, sql`make_interval(days => ${IMPORT_FILE_DAYS})`)}
      order by id limit 1 for update skip locked)
    returning org, id`)
  if (!old) return 0
  for (const table of [sql`import_chunks`, sql`import_failures`, sql`import_claims`])
    await tx.run(sql`delete from ${table} where org = ${old.org} and import = ${old.id}`)
  return 1
}
