// The outcome of an import of a table, as a command prints it: counts, skipped rows and failed rows.
import { IMPORT_SKIPS_MAX } from '../../contract/import-states.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { JobResult, JobResultStatus } from '../../contract/job-results.ts'
import type { Job } from '../../contract/jobs.ts'
import type { Db } from '../db/pool.ts'
import type { FailedFileRow } from '../imports/failed-file.ts'
import { getObject } from '../model/objects/store.ts'
import { readCsvBatches } from './csv-batch.ts'
import { countCreated, lastResults } from './outcome-store.ts'
import { hasStatus } from './save-batch.ts'
import { getUploaded, type JobRef, readResults } from './store.ts'

const ROWS_PER_BATCH = 500

async function* resultsOf(
  db: Db,
  ref: JobRef,
  status: JobResultStatus,
): AsyncGenerator<JobResult & { line: number }> {
  for await (const results of readResults(db, ref))
    for (const text of results.split('\n')) if (hasStatus(text, status)) yield JSON.parse(text)
}

/** The first skipped rows, which match a record. */
async function skippedRowsOf(db: Db, ref: JobRef): Promise<SkippedRow[]> {
  const rows: SkippedRow[] = []
  for await (const { line, id } of resultsOf(db, ref, 'skipped')) {
    if (id !== null) rows.push({ line, recordId: id })
    if (rows.length === IMPORT_SKIPS_MAX) break
  }
  return rows
}

/** Number of records that were created for references in cells, by the slug of their object. */
async function relatedOf(db: Db, ref: JobRef, { objectId, progress, createMissing }: Job) {
  if (!createMissing) return {}
  const { slug: own } = await getObject(db, ref.org, objectId)
  const counts = (await countCreated(db, ref)).map(
    ({ slug, created }) => [slug, slug === own ? created - progress.created : created] as const,
  )
  return Object.fromEntries(counts.filter(([, created]) => created > 0))
}

export interface ImportOutcome
  extends Pick<Job['progress'], 'created' | 'updated' | 'unchanged' | 'failed' | 'skipped'> {
  /** The first skipped rows. */
  skippedRows: SkippedRow[]
  /** Number of records that were created for references in cells, by the slug of their object. */
  related: Record<string, number>
}

/** The outcome of an import that has ended. */
export async function outcomeOf({ db }: { db: Db }, org: number, job: Job): Promise<ImportOutcome> {
  const ref = { org, id: job.id }
  const { created, updated, unchanged, failed, skipped } = job.progress
  return {
    ...{ created, updated, unchanged, failed, skipped },
    skippedRows: skipped > 0 ? await skippedRowsOf(db, ref) : [],
    related: await relatedOf(db, ref, job),
  }
}

/** The line of the last processed row; undefined if no row was processed. */
export async function lastLineOf({ db }: { db: Db }, ref: JobRef): Promise<number | undefined> {
  const results = (await lastResults(db, ref))?.trimEnd().split('\n') ?? []
  const last = results.at(-1)
  return last === undefined ? undefined : (JSON.parse(last) as JobResult).line
}

/** The failed rows as a whole with their errors, in the order of the file. */
export async function* failedRowsOf({ db }: { db: Db }, ref: JobRef): AsyncGenerator<FailedFileRow> {
  const { settings } = await getUploaded(db, ref)
  const failed = resultsOf(db, ref, 'failed')
  let next = await failed.next()
  for await (const { rows } of readCsvBatches(
    db,
    { ...ref, settings },
    { from: 0, size: { rows: ROWS_PER_BATCH } },
  ))
    for (const { line, cells } of rows) {
      if (next.done) return
      if (line !== next.value.line) continue
      yield { line, cells, error: next.value.error ?? '' }
      next = await failed.next()
    }
}
