// One batch of an import: its records, the result of each line and the position of the job are one transaction.

import type { JobResult } from '../../contract/job-results.ts'
import type { Db } from '../db/pool.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { problemsByPlace } from '../imports/references.ts'
import { howOf } from '../imports/settings.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { compareLines } from './compared-lines.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { writeOrCheck } from './dry-run.ts'
import { importRow, resultsOf } from './import-rows.ts'
import { choiceOf, type ImportBatch, type Item, leftOut, unreadable } from './items.ts'
import { nextLines } from './lines.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import { sortMatches } from './skipped-rows.ts'

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

/** A row with the same value as an earlier row is matched again after the earlier row is written. */
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
    for (const { item, recordId } of skipped) results.push(leftOut({ line: item.line, recordId }))
    rest = later
  }
  return results
}

/** @returns the result of each item, in any order */
export function writeItems(batch: ImportBatch, items: readonly Item[]): Promise<JobResult[]> {
  const { matchOn, duplicates, duplicateRules } = batch.job.settings
  return duplicates === 'skip' && matchOn !== undefined && !duplicateRules
    ? writeUnmatched(batch, matchOn, items)
    : write(batch, items)
}

async function writeLines(batch: ImportBatch, items: readonly Item[]): Promise<{ results: JobResult[] }> {
  const compared = await compareLines(batch, items)
  const written = await writeItems(batch, compared.items)
  return { results: [...written, ...compared.skipped.map(leftOut)] }
}

/** @returns the number of processed lines of the file: 0 if none is left */
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
  const written = await writeOrCheck({ ctx, tx, job }, (batch) => writeLines(batch, items))
  const results = [...written.results, ...faults].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, results, { readBytes: readBytes + next.bytes, readLines: readLines + next.count })
  return next.count
}
