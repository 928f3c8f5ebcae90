// The SQL statements for reports and their runs.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import sql from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import { REPORT_RUNS_KEPT } from '../../contract/report-states.ts'
import type { Report, ReportDefinition, ReportDetail, ReportRun } from '../../contract/reports.ts'
import { notFound } from '../base/errors.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { newestFirst, type PageSpan } from '../http/paging.ts'
import { microsOf } from '../records/rows/sorting.ts'
import type { ReportOutcome } from './execution.ts'
import { changedUnlessTaken } from './name-taken.ts'

const columns = sql`r.id, r.name, r.description, r.last_run_at as "lastRunAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as creator`
// A run also changes the visible report: its lastRunAt.
const detailColumns = sql`${columns}, r.updated_at as "updatedAt", r.version, r.definition,
  ${microsOf(sql`greatest(r.updated_at, r.last_run_at)`)} as micros`

/** `micros`: the time of its last change, used for its ETag. */
export interface StoredReport extends ReportDetail {
  micros: number
}

export const reportEtag = ({ micros }: StoredReport): string => `"${micros.toString(36)}"`

type Row<Shape> = Omit<Shape, 'createdAt'> & { id: string }

/** By name. */
export async function selectReports(db: Db, org: number): Promise<Report[]> {
  const rows = await db.many<Row<Report>>(sql`
    select ${columns} from reports r join users u on u.id = r.created_by
    where r.org = ${org} order by lower(r.name), r.id`)
  return rows.map(withCreatedAt)
}

/** @throws 404 not_found */
export async function getReport(db: Db, org: number, reportId: string): Promise<StoredReport> {
  const row = isUuid(reportId)
    ? await db.maybeOne<Row<StoredReport>>(sql`
        select ${detailColumns} from reports r join users u on u.id = r.created_by
        where r.org = ${org} and r.id = ${reportId}`)
    : undefined
  if (!row) throw notFound('report')
  return withCreatedAt(row)
}

/** Locks it for a change. @throws 404 not_found */
export async function lockReport(tx: Db, org: number, reportId: string): Promise<StoredReport> {
  if (isUuid(reportId))
    await tx.run(sql`select from reports where org = ${org} and id = ${reportId} for no key update`)
  return getReport(tx, org, reportId)
}

export const findReportId = (db: Db, org: number, name: string): Promise<string | undefined> =>
  db.maybeValue<string>(sql`select id from reports where org = ${org} and name = ${name}`)

export const countReports = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*) from reports where org = ${org}`)

interface NewRow {
  id: string
  definition: ReportDefinition
  createdBy: string
}

/** @returns false when another report has the name */
export async function insertReport(
  db: Db,
  org: number,
  { id, definition, createdBy }: NewRow,
): Promise<boolean> {
  const { name, description = '' } = definition
  const inserted = await db.run(sql`
    insert into reports (org, id, name, description, definition, created_by)
    values (${org}, ${id}, ${name}, ${description}, ${JSON.stringify(definition)}::jsonb, ${createdBy})
    on conflict (org, name) do nothing`)
  return inserted === 1
}

/** @returns false when another report has the name */
export function updateReport(
  tx: Db,
  org: number,
  id: string,
  definition: ReportDefinition,
): Promise<boolean> {
  const { name, description = '' } = definition
  return changedUnlessTaken(
    tx,
    sql`
      update reports set name = ${name}, description = ${description},
        definition = ${JSON.stringify(definition)}::jsonb, version = version + 1, updated_at = now()
      where org = ${org} and id = ${id}`,
  )
}

export const deleteReportRow = (db: Db, org: number, id: string): Promise<number> =>
  db.run(sql`delete from reports where org = ${org} and id = ${id}`)

export const runColumns = sql`n.id, n.report as "reportId", n.status, n.result_count as "resultCount",
  n.started_at as "startedAt", n.completed_at as "completedAt", n.error`

interface RunRef {
  reportId: string
  runId: string
}

/** @throws 404 not_found when the report was deleted */
export async function insertRun(
  db: Db,
  org: number,
  { reportId, runId, definition }: RunRef & { definition: ReportDefinition },
): Promise<void> {
  const inserted = await db.run(sql`
    insert into report_runs (org, id, report, definition)
    select org, ${runId}, id, ${JSON.stringify(definition)}::jsonb from reports
    where org = ${org} and id = ${reportId} for key share`)
  if (inserted === 0) throw notFound('report')
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** ReportResults as JSON text. @param packed report_runs.results */
export const readPackedResults = async (packed: Buffer): Promise<string> => (await unpack(packed)).toString()

async function outcomeColumns(outcome: ReportOutcome) {
  if ('failure' in outcome) return { status: 'failed', count: 0, error: outcome.failure, results: null }
  return {
    status: 'completed',
    count: outcome.resultCount,
    error: null,
    results: await pack(outcome.results),
  }
}

/** @throws 404 not_found when the report was deleted */
export async function finishReportRun(
  db: Db,
  org: number,
  { runId }: RunRef,
  outcome: ReportOutcome,
): Promise<ReportRun> {
  const { status, count, error, results } = await outcomeColumns(outcome)
  const run = await db.maybeOne<ReportRun>(sql`
    with n as (
      update report_runs set status = ${status}, result_count = ${count}, error = ${error},
        results = ${results}, completed_at = clock_timestamp()
      where org = ${org} and id = ${runId}
      returning id, report, status, result_count, started_at, completed_at, error),
    report as (
      update reports r set last_run_at = n.started_at from n where r.org = ${org} and r.id = n.report)
    select ${runColumns} from n`)
  if (!run) throw notFound('report')
  return run
}

/** Deletes runs over the limit. */
export const deleteOldReportRuns = (db: Db, org: number, reportId: string): Promise<number> =>
  db.run(sql`
    delete from report_runs where org = ${org} and id in (
      select id from report_runs where org = ${org} and report = ${reportId}
      order by id desc offset ${REPORT_RUNS_KEPT}) and status <> 'running'`)

/** Newest first. */
export const selectReportRuns = (
  db: Db,
  org: number,
  reportId: string,
  page: PageSpan,
): Promise<ReportRun[]> =>
  db.many<ReportRun>(sql`
    select ${runColumns} from report_runs n where n.org = ${org} and n.report = ${reportId}
    ${newestFirst(sql`n.id`, page)}`)

export const countReportRuns = (db: Db, org: number, reportId: string): Promise<number> =>
  db.value<number>(sql`select count(*) from report_runs where org = ${org} and report = ${reportId}`)

/** `results` as JSON text, null without results. */
export interface StoredRun {
  run: ReportRun
  definition: ReportDefinition
  results: string | null
}

/** @throws 404 not_found */
export async function getReportRun(db: Db, org: number, { reportId, runId }: RunRef): Promise<StoredRun> {
  const row =
    isUuid(reportId) && isUuid(runId)
      ? await db.maybeOne<ReportRun & { definition: ReportDefinition; packed: Buffer | null }>(sql`
          select ${runColumns}, n.definition, n.results as packed from report_runs n
          where n.org = ${org} and n.report = ${reportId} and n.id = ${runId}`)
      : undefined
  if (!row) throw notFound('report run')
  const { definition, packed, ...run } = row
  return { run, definition, results: packed && (await readPackedResults(packed)) }
}

/** Ends runs whose node was killed, because no run takes that long. @returns how many */
export const failAbandonedRuns = (db: Db, seconds: number): Promise<number> =>
  db.run(sql`
    update report_runs set status = 'failed', completed_at = clock_timestamp(),
      error = 'The service stopped while the report was running: run it again'
    where status = 'running' and started_at < clock_timestamp() - make_interval(secs => ${seconds}::int)`)
