// Statements about the jobs that run imports of the dashboard. Such a job has the id of its import, and uses the
// import's file, settings and failed rows. The state of the import follows the job.
import sql, { type Sql } from 'sql-template-tag'
import type { ImportState } from '../../contract/import-states.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { Db } from '../db/pool.ts'
import type { ImportSettings } from '../imports/settings.ts'
import { BY_JOB, type ImportRow, withSkips } from '../imports/store.ts'
import type { JobRef, JobSettings } from './store.ts'

const isThis = ({ org, id }: JobRef): Sql => sql`i.org = ${org} and i.id = ${id}`

/** The fields of an import from which its job is created. */
export type Run = Pick<ImportRow, 'columns' | 'encoding' | 'delimiter' | 'settings'>

/** Also finds an import whose object has been deleted: the job then fails with the reason. */
export const selectRun = (tx: Db, ref: JobRef): Promise<Run> =>
  tx.one<Run>(sql`select i.columns, i.encoding, i.delimiter, i.settings from imports i where ${isThis(ref)}`)

/** Starts at the position of the import: its beginning, or the point where an earlier version stopped. */
export const insertRun = (tx: Db, ref: JobRef, settings: JobSettings) =>
  tx.run(sql`
    insert into record_jobs (org, id, obj, type, status, settings, bytes, total, read_lines, until_id, created, updated,
      skipped, failed, created_by)
    select i.org, i.id, i.obj, 'import', 'queued', ${JSON.stringify(settings)}::jsonb, i.bytes, i.rows, i.rows_done,
      (i.settings->>'until')::uuid, i.created, i.updated, i.skipped, i.failed,
      coalesce((i.settings->>'startedBy')::uuid, i.created_by)
    from imports i where ${isThis(ref)}`)

/**
 * Takes a run from workers of earlier versions, which stop when the generation changes.
 * @returns false if there is no such run
 */
export const takeEarlierRun = async (tx: Db, ref: JobRef): Promise<boolean> =>
  (await tx.run(sql`
    update imports i set generation = generation + 1, settings = ${BY_JOB}
    where ${isThis(ref)} and i.state = 'running' and not i.settings ? 'isJob'`)) > 0

/** Locks the import for one batch. @returns undefined if the import is not running */
export const lockRun = (tx: Db, ref: JobRef): Promise<ImportSettings | undefined> =>
  tx.maybeValue<ImportSettings>(
    sql`select i.settings from imports i where ${isThis(ref)} and i.state = 'running' for update`,
  )

export interface Followed {
  state: ImportState
  error: string | null
  generation: number
  startedBy: string
}

/**
 * Copies the state of the job to its import.
 * @returns undefined if the job runs no import, or the import had already ended
 */
export const followJob = (
  tx: Db,
  { org, id }: JobRef,
  skips: readonly SkippedRow[] = [],
): Promise<Followed | undefined> =>
  tx.maybeOne<Followed>(sql`
    update imports i set state = case when j.status in ('queued', 'running') then 'running' else j.status end,
      rows = case when j.status = 'completed' then j.total else i.rows end, rows_done = j.read_lines,
      created = j.created, updated = j.updated + j.unchanged, failed = j.failed, skipped = j.skipped,
      skips = ${withSkips(skips)}, error = j.error, finished_at = j.completed_at
    from record_jobs j
    where j.org = ${org} and j.id = ${id} and i.org = j.org and i.id = j.id and i.state = 'running'
    returning i.state, i.error, i.generation, j.created_by as "startedBy"`)
