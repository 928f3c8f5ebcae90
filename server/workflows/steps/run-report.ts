// The step that runs a report, at least once: after a crash, the report may have an additional run.
import { AppError } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import { previewReport, runReport as startReport } from '../../reports/service.ts'
import { getReport, getReportRun } from '../../reports/store.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { StepFailure } from './failure.ts'
import type { NetworkStep, NetworkWork } from './step.ts'

function check({ config: { reportId }, path, known, report }: StepCheck): void {
  if (isLiteral(reportId) && !known.reports.includes(reportId.toLowerCase()))
    report.add(`${path}.reportId`, 'unknown_report', 'must be a report of this organization: choose another')
}

interface Results {
  columns: { key: string; label: string }[]
  rows: Record<string, unknown>[]
}

interface Ran extends Results {
  runId: string | null
  resultCount: number
}

const ROWS_DEFAULT = 100
const CELL_CHARACTERS_MAX = 200

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replaceAll(/\s+/g, ' ').slice(0, CELL_CHARACTERS_MAX)
}

/** Money as text, everything else unchanged. */
function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('currency' in value))
    return cellText(value)
  return `${cellText(value.amount)} ${cellText(value.currency)}`
}

/** One line for the column names and one for each row, for a mail. */
const asText = ({ columns, rows }: Results): string =>
  [
    columns.map(({ label }) => cellText(label)),
    ...rows.map((row) => columns.map(({ key }) => wordsOf(row[key]))),
  ]
    .map((cells) => cells.join(' | '))
    .join('\n')

async function keepResults({ ctx, caller }: NetworkWork, reportId: string): Promise<Ran> {
  const { id: runId, status, error, resultCount } = await startReport(ctx, caller, reportId)
  if (status !== 'completed') throw new StepFailure(`The report failed: ${error ?? 'no reason was kept'}`)
  const { results } = await getReportRun(ctx.db, caller.org, { reportId, runId })
  return { runId, resultCount: resultCount ?? 0, ...(parseJson(results ?? '{}') as Results) }
}

/** Runs the report without storing a run. */
async function tryOut({ ctx, caller, signal }: NetworkWork, reportId: string): Promise<Ran> {
  const { definition } = await getReport(ctx.db, caller.org, reportId)
  const preview = await previewReport(ctx, caller, {
    definition,
    signal: signal ?? new AbortController().signal,
  })
  const { problems, results, error } = parseJson(preview) as {
    problems: { message: string }[]
    results: Results | null
    error: string | null
  }
  if (results) return { runId: null, resultCount: results.rows.length, ...results }
  throw new StepFailure(`The report failed: ${error ?? problems[0]?.message ?? 'no reason was given'}`)
}

/** @throws StepFailure, AppError when the report does not exist */
async function perform(work: NetworkWork) {
  const reportId = String(work.input['reportId'] ?? '').toLowerCase()
  const limit = Number(work.input['rows'] ?? ROWS_DEFAULT)
  try {
    const ran = await (work.isDry ? tryOut(work, reportId) : keepResults(work, reportId))
    const { runId, resultCount, columns } = ran
    const rows = ran.rows.slice(0, limit)
    return { runId, resultCount, columns, rows, text: asText({ columns, rows }) }
  } catch (error) {
    // Other reports are running. A retry may succeed.
    if (error instanceof AppError && error.code === 'report_busy')
      throw new StepFailure(error.message, { isTransient: true })
    throw error
  }
}

export const runReport: NetworkStep = {
  kind: 'network',
  check,
  perform,
  example: { reportId: '0198c0de-0000-7000-8000-000000000009', rows: 5 },
}
