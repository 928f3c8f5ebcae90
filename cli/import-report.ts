// The result that rapport import prints, and the file of the rows that failed.
import { resolve as resolvePath } from 'node:path'
import { BYTE_ORDER_MARK } from '../contract/csv-text.ts'
import { UNDO_HOURS } from '../contract/limits.ts'
import type { Caller } from '../server/base/caller.ts'
import { isDatabaseUnavailable } from '../server/db/unavailable.ts'
import { type FailedFileRow, failedFile } from '../server/imports/failed-file.ts'
import type { ImportOutcome } from '../server/record-jobs/outcome.ts'
import type { ImportReading } from './import-reading.ts'
import { quoted } from './import-table.ts'
import type { ShownJob } from './job-state.ts'
import { messageOf, tell } from './output.ts'
import { type Write, writeToFile } from './output-file.ts'
import type { CliSession } from './session.ts'

export interface Report extends ImportOutcome {
  skippedColumns: readonly string[]
  read: Omit<ImportReading, 'columns'>
  jobId: string
  errorFile: string | null
  /** The change set to undo the whole import; null if it wrote nothing or is undone already. */
  changeSetId: string | null
  seconds: number
}

interface Ended {
  session: CliSession
  caller: Caller
  shown: Pick<ShownJob, 'job' | 'isUndoable'>
  headers: readonly string[]
}

const ROWS_AT_ONCE = 500

async function writeRows({ session: { ctx, signal }, caller, shown, headers }: Ended, write: Write) {
  const { failedRowsOf } = await import('../server/record-jobs/outcome.ts')
  const form = failedFile(headers)
  let rows: FailedFileRow[] = []
  await write(BYTE_ORDER_MARK + form.head)
  for await (const row of failedRowsOf(ctx, { org: caller.org, id: shown.job.id })) {
    signal.throwIfAborted()
    if (rows.push(row) < ROWS_AT_ONCE) continue
    await write(form.textOf(rows))
    rows = []
  }
  if (rows.length > 0) await write(form.textOf(rows))
}

/** Writes the file of failed rows, if any. @returns null if no row failed, or the file cannot be written */
async function writeFailedRows(ended: Ended, path: string): Promise<string | null> {
  if (ended.shown.job.progress.failed === 0) return null
  try {
    await writeToFile(path, (write) => writeRows(ended, write))
    return path
  } catch (error) {
    if (ended.session.signal.aborted || isDatabaseUnavailable(error)) throw error
    tell(`${path} cannot be written: ${messageOf(error)}`)
    return null
  }
}

export async function reportOf(
  ended: Ended,
  errorFile: string,
): Promise<Pick<Report, keyof ImportOutcome | 'jobId' | 'errorFile' | 'changeSetId'>> {
  const { session, caller, shown } = ended
  const { job, isUndoable } = shown
  const { outcomeOf } = await import('../server/record-jobs/outcome.ts')
  const outcome = await outcomeOf(session.ctx, caller.org, job)
  return {
    ...outcome,
    jobId: job.id,
    errorFile: await writeFailedRows(ended, errorFile),
    changeSetId: isUndoable ? job.changeSetId : null,
  }
}

const countsText = ({ created, updated, unchanged, failed, skipped }: ImportOutcome): string =>
  [
    `${created} created, ${updated} updated, `,
    ...(unchanged > 0 ? [`${unchanged} unchanged, `] : []),
    ...(skipped > 0 ? [`${skipped} skipped, `] : []),
    `${failed} failed`,
  ].join('')

const skippedLines = ({ skipped, skippedRows }: ImportOutcome): string[] => [
  ...skippedRows.map(({ line, recordId }) => `Line ${line} is skipped: it matches ${recordId}`),
  ...(skipped > skippedRows.length ? [`${skipped - skippedRows.length} more rows are skipped.`] : []),
]

function failedLines({ failed, errorFile, jobId }: Report, org: string): string[] {
  if (failed === 0) return []
  return [
    errorFile === null
      ? `Why rows failed: rapport jobs rows ${jobId} --org ${org} --status failed`
      : `Errors of the failed rows: ${errorFile}`,
  ]
}

export function linesOf(report: Report, { object, org }: { object: string; org: string }): string[] {
  const { skippedColumns, related, changeSetId, seconds } = report
  return [
    `${object}: ${countsText(report)}, in ${seconds} s`,
    ...skippedLines(report),
    ...Object.entries(related).map(([slug, count]) => `${slug}: ${count} created, because cells name them`),
    ...(skippedColumns.length > 0
      ? [`Skipped columns without an attribute of that name: ${quoted(skippedColumns)} (see --map)`]
      : []),
    ...failedLines(report, org),
    ...(changeSetId === null
      ? []
      : [`Undo it within ${UNDO_HOURS} hours: rapport undo change-set ${changeSetId} --org ${org}`]),
  ]
}

/** @throws Error with the option if both are the same file */
export function requireAnother(errorFile: string, file: string): void {
  if (resolvePath(errorFile) === resolvePath(file))
    throw new Error('--error-file names the file to import: choose another')
}
