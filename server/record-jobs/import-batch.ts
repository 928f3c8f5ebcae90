// One batch of an import: its records, the result of each line, and the position of the job are one transaction.

import type { Problem } from '../../contract/errors.ts'
import type { JobResult, MatchChoice } from '../../contract/jobs.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Db } from '../db/pool.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { problemsByPlace } from '../imports/references.ts'
import { howOf } from '../imports/settings.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { importRow, resultsOf } from './import-rows.ts'
import { nextLines } from './lines.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import { sortMatches } from './skipped-rows.ts'
import type { OpenJob } from './store.ts'

export interface ImportBatch {
  ctx: JobsContext
  tx: Db
  job: JobOfCaller
  /** Gets each row that is refused, with all of its faults. */
  onFailed?: (item: Item, failed: FailedRow) => void
}

export interface Item {
  line: number
  row: Record<string, unknown>
  /** What is known to be wrong with it. */
  problems?: Problem[]
}

/** What becomes of rows that are compared with all that was there before; undefined: only matchOn decides. */
export const choiceOf = ({ settings }: OpenJob): MatchChoice | undefined =>
  settings.duplicateRules ? settings.duplicates : undefined

async function write({ ctx, tx, job, onFailed }: ImportBatch, items: readonly Item[]): Promise<JobResult[]> {
  if (items.length === 0) return []
  const { createMissing = false } = job.settings
  const written = await bulkWrite(
    { ...ctx, db: tx },
    job.caller,
    job.objectId,
    {
      ...howOf(job.settings.matchOn, choiceOf(job)),
      records: items.map(({ row }) => row),
      createMissing,
      changeSetId: job.id,
    },
    {
      hasExchanges: false,
      problems: problemsByPlace(items.map(({ problems = [] }) => ({ problems }))),
      hasAllDetails: onFailed !== undefined,
    },
  )
  for (const failed of written.failed) {
    const item = items[failed.index]
    if (item) onFailed?.(item, failed)
  }
  return resultsOf(written).map((result, index) => ({ line: items[index]?.line ?? 0, ...result }))
}

/** Rows whose value a row before them brings are looked at again when that is written. */
async function writeUnmatched(
  batch: ImportBatch,
  slug: string,
  items: readonly Item[],
): Promise<JobResult[]> {
  const { ctx, tx, job } = batch
  const results: JobResult[] = []
  for (let rest = items; rest.length > 0; ) {
    const { rows, skipped, later } = await withCurrentModel(
      { ...ctx, db: tx },
      job.org,
      job.objectId,
      (model) => sortMatches(tx, job.caller, { model, slug }, rest),
    )
    results.push(...(await write(batch, rows)))
    for (const { item, recordId } of skipped)
      results.push({ line: item.line, id: recordId, status: 'skipped' })
    rest = later
  }
  return results
}

/** @returns the result of each, in any order */
export function writeItems(batch: ImportBatch, items: readonly Item[]): Promise<JobResult[]> {
  const { matchOn, duplicates, duplicateRules } = batch.job.settings
  return duplicates === 'skip' && matchOn !== undefined && !duplicateRules
    ? writeUnmatched(batch, matchOn, items)
    : write(batch, items)
}

export const unreadable = ({ line, fault }: { line: number; fault: string }): JobResult => ({
  line,
  id: null,
  status: 'failed',
  error: fault,
  code: 'validation_error',
})

/** @returns how many lines of the file it has taken: 0 when none is left */
export async function importBatch(
  ctx: JobsContext,
  tx: Db,
  job: JobOfCaller,
  limit: number,
): Promise<number> {
  const { readBytes, readLines } = job
  const next = await nextLines(readContent(tx, job, readBytes), { before: readLines, limit })
  if (next.bytes === 0 && readBytes < job.bytes) throw new Error('The file of the job is incomplete')
  if (next.bytes === 0) return 0
  const rows = next.lines.map(importRow)
  const items = rows.flatMap((one) => ('row' in one ? one : []))
  const faults = rows.flatMap((one) => ('fault' in one ? unreadable(one) : []))
  const written = await writeItems({ ctx, tx, job }, items)
  const results = [...written, ...faults].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, results, { readBytes: readBytes + next.bytes, readLines: readLines + next.count })
  return next.count
}
