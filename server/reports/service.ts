// Rules of reports: who can change them, when they are valid, and how they run.

import type { Problem } from '../../contract/errors.ts'
import { RUNS_PER_PAGE } from '../../contract/limits.ts'
import type { ReportCheckResult, ReportPreview } from '../../contract/report-administration.ts'
import { PREVIEW_ROWS_MAX, REPORT_ROWS_DEFAULT, REPORTS_MAX } from '../../contract/report-states.ts'
import { ReportDefinition, type ReportRun, type ReportRunQuery } from '../../contract/reports.ts'
import { isAtLeast, type Role } from '../../contract/roles.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, insufficientRole, invalid, nameTaken } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { requireMatch } from '../http/etag.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { requireStorable } from '../http/storable.ts'
import { shapeCheck } from '../http/validate.ts'
import type { ReportContext } from './context.ts'
import { execute } from './execution.ts'
import { loadPlan } from './model-loading.ts'
import { withPresentNames } from './result-names.ts'
import {
  countReportRuns,
  countReports,
  deleteOldReportRuns,
  deleteReportRow,
  finishReportRun,
  getReport,
  getReportRun,
  insertReport,
  insertRun,
  lockReport,
  reportEtag,
  type StoredReport,
  selectReportRuns,
  updateReport,
} from './store.ts'

type WriteContext = Pick<BaseContext, 'db' | 'clock'>

/** The author of a change to a report; without a role it is the operator. */
export interface Writer {
  caller: Caller
  role?: Role
}

async function requireSound({ db, clock }: WriteContext, caller: Caller, definition: ReportDefinition) {
  requireStorable({ definition })
  const planned = await loadPlan(db, caller, { definition, now: clock.now() })
  if ('plan' in planned) return
  const problems = planned.problems.map((one) => ({ ...one, path: `definition.${one.path}` }))
  throw invalid('validation_error', problems)
}

/** @throws 400 validation_error, 409 limit_reached, name_taken */
export async function createReport(
  ctx: WriteContext,
  caller: Caller,
  definition: ReportDefinition,
): Promise<StoredReport> {
  await requireSound(ctx, caller, definition)
  if ((await countReports(ctx.db, caller.org)) >= REPORTS_MAX)
    throw new AppError('limit_reached', `There are already ${REPORTS_MAX} reports: delete one first`)
  const id = newId()
  const row = { id, definition, createdBy: caller.userId }
  if (!(await insertReport(ctx.db, caller.org, row))) throw nameTaken('report', definition.name)
  return getReport(ctx.db, caller.org, id)
}

/** Only the creator, owners and admins can change a report. @throws 403 insufficient_role, 404 not_found */
async function lockChangeable(tx: Db, { caller, role = 'owner' }: Writer, reportId: string) {
  const report = await lockReport(tx, caller.org, reportId)
  if (report.creator.id !== caller.userId && !isAtLeast(role, 'admin')) throw insufficientRole('admin')
  return report
}

interface Change {
  reportId: string
  /** undefined: unchanged */
  definition?: ReportDefinition | undefined
  /** The version that was edited; undefined: any. */
  basedOn?: number | undefined
  ifMatch?: string | undefined
}

/** @throws 400 validation_error, 403 insufficient_role, 404 not_found, 409 name_taken, wrong_state, 412 */
export async function changeReport(
  ctx: WriteContext,
  writer: Writer,
  { reportId, definition, basedOn, ifMatch }: Change,
): Promise<StoredReport> {
  const { caller } = writer
  if (definition) await requireSound(ctx, caller, definition)
  return ctx.db.transaction(async (tx) => {
    const before = await lockChangeable(tx, writer, reportId)
    requireMatch(ifMatch, reportEtag(before))
    const { id, version } = before
    if (basedOn !== undefined && basedOn !== version)
      throw new AppError(
        'wrong_state',
        `Version ${version} was saved in the meantime: review it before you save yours`,
        { version },
      )
    if (definition && !(await updateReport(tx, caller.org, id, definition)))
      throw nameTaken('report', definition.name)
    return getReport(tx, caller.org, id)
  })
}

/** Also deletes its runs. @returns its id @throws 403 insufficient_role, 404 not_found, 412 precondition_failed */
export const deleteReport = (
  { db }: { db: Db },
  writer: Writer,
  { reportId, ifMatch }: { reportId: string; ifMatch?: string | undefined },
): Promise<string> =>
  db.transaction(async (tx) => {
    const before = await lockChangeable(tx, writer, reportId)
    requireMatch(ifMatch, reportEtag(before))
    const { id } = before
    await deleteReportRow(tx, writer.caller.org, id)
    return id
  })

/**
 * Runs the report and stores the results. If the report itself fails, the status of the run is failed.
 * @throws 404 not_found, 429 report_busy
 */
export async function runReport(ctx: ReportContext, caller: Caller, reportId: string): Promise<ReportRun> {
  const { id, definition } = await getReport(ctx.db, caller.org, reportId)
  const ref = { reportId: id, runId: newId() }
  let isInserted = false
  // Called again when the report fails on a replica.
  const onBegin = async () => {
    if (!isInserted) await insertRun(ctx.db, caller.org, { ...ref, definition })
    isInserted = true
  }
  const outcome = await execute(ctx, caller, { definition, onBegin })
  const run = await finishReportRun(ctx.db, caller.org, ref, outcome)
  await deleteOldReportRuns(ctx.db, caller.org, id)
  return run
}

/** Newest first. @throws 400 invalid_parameter, 404 not_found */
export async function listReportRuns(
  { db }: { db: Db },
  org: number,
  { reportId, ...params }: ReportRunQuery & { reportId: string },
) {
  const { id } = await getReport(db, org, reportId)
  const asked = askedPage(params, { seal: sealOf(['report runs', org, id]), limit: RUNS_PER_PAGE })
  const found = await selectReportRuns(db, org, id, asked)
  const total = asked.count ? await countReportRuns(db, org, id) : undefined
  const { rows: runs, pagination } = pageOf(asked, { found, total })
  return { runs, pagination }
}

const shapeProblems = shapeCheck(ReportDefinition, 'The definition')

/** Checks the shape of a definition; validation against models follows. */
export function readShape(value: unknown): { definition: ReportDefinition } | { problems: Problem[] } {
  const problems = shapeProblems(value)
  return problems.length > 0 ? { problems } : { definition: value as ReportDefinition }
}

/** @param input an unchecked definition */
export async function checkReport(
  { db, clock }: WriteContext,
  caller: Caller,
  input: unknown,
): Promise<ReportCheckResult> {
  const shape = readShape(input)
  if ('problems' in shape) return { problems: shape.problems, columns: [] }
  const { definition } = shape
  requireStorable({ definition })
  const planned = await loadPlan(db, caller, { definition, now: clock.now() })
  return 'plan' in planned
    ? { problems: [], columns: planned.plan.columns }
    : { problems: planned.problems, columns: [] }
}

const withoutResults = (problems: readonly Problem[], error: string | null): string =>
  JSON.stringify({ problems: [...problems], results: null, error } satisfies ReportPreview)

/**
 * Returns the first rows without storing them.
 * @param input an unchecked definition
 * @returns contract/report-administration.ts ReportPreview as JSON text
 * @throws 400 validation_error, 429 report_busy
 */
export async function previewReport(
  ctx: ReportContext,
  caller: Caller,
  { definition: input, signal }: { definition: unknown; signal: AbortSignal },
): Promise<string> {
  const shape = readShape(input)
  if ('problems' in shape) return withoutResults(shape.problems, null)
  const { definition } = shape
  requireStorable({ definition })
  const limit = Math.min(definition.limit ?? REPORT_ROWS_DEFAULT, PREVIEW_ROWS_MAX)
  const outcome = await execute(ctx, caller, { definition: { ...definition, limit }, signal })
  if ('results' in outcome)
    return `{"problems":[],"results":${withPresentNames(outcome.results)},"error":null}`
  return withoutResults(outcome.problems, outcome.problems.length > 0 ? null : outcome.failure)
}

/** The results of a run for a file. @throws 404 not_found, 409 wrong_state when the run has none */
export async function readResults(
  { db }: { db: Db },
  org: number,
  ref: { reportId: string; runId: string },
): Promise<{ name: string; results: string }> {
  const { definition, results } = await getReportRun(db, org, ref)
  if (results === null) throw new AppError('wrong_state', 'This run has no results: run the report again')
  return { name: definition.name, results }
}
