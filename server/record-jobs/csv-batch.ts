// Batches of an import of CSV. Quotes can only be interpreted from the beginning of the file, so a worker reads the
// file in one pass over all batches. The saved position counts rows.
import type { SkippedRow } from '../../contract/imports.ts'
import type { JobResult } from '../../contract/jobs.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Db } from '../db/pool.ts'
import { decodeText } from '../imports/csv/encoding.ts'
import type { CsvRow } from '../imports/csv/read.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { creatingMissing } from '../imports/missing-records.ts'
import { prepareRows } from '../imports/prepared-rows.ts'
import { addRelated } from '../imports/related-store.ts'
import { type RowBatch, readTextBatches } from '../imports/rows.ts'
import { type CellPlan, inputOf } from '../imports/settings.ts'
import { insertFailures, readChunks } from '../imports/store.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { planOf } from './csv-plan.ts'
import { type FailedTexts, failedRows, textOfFailed } from './failed-rows.ts'
import { writeItems } from './import-batch.ts'
import { followJob } from './import-run-store.ts'
import { choiceOf, type ImportBatch, type Item, leftOut, unreadable } from './items.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import type { JobRef, JobSettings } from './store.ts'

export const readCsvBatches = (
  db: Db,
  ref: JobRef & { settings: JobSettings },
  { from, size }: { from: number; size: Pick<BatchSize, 'rows'> },
): AsyncGenerator<RowBatch> => {
  const { delimiter = ',', encoding = 'utf-8', ofImport } = ref.settings
  const bytes = ofImport ? readChunks(db, ref) : readContent(db, ref)
  return readTextBatches(decodeText(bytes, encoding), { delimiter, from, size })
}

interface Items {
  plan: CellPlan
  items: Item[]
  /** Rows that match a record and are skipped. */
  skipped: SkippedRow[]
}

/** Replaces names of records by their ids. */
async function itemsOf(
  { ctx, tx, job }: ImportBatch,
  model: ObjectModel,
  rows: readonly CsvRow[],
): Promise<Items> {
  const { caller, settings, importSettings } = job
  const plan = planOf(model, job)
  const within = { ...ctx, db: tx }
  const onCreated = (target: ObjectModel, names: string[]) => addRelated(tx, job, target.id, names)
  const { rows: prepared, skipped } = await prepareRows(
    {
      ...{ ctx: within, caller, model, columns: plan.columns, matchOn: settings.matchOn },
      ...{ duplicates: choiceOf(job), until: job.untilId ?? undefined },
      create: creatingMissing({
        ctx: within,
        caller,
        changeSetId: job.id,
        ...(importSettings && { onCreated }),
      }),
    },
    rows.map(({ line, cells }) => ({ line, ...inputOf(plan, cells) })),
  )
  return {
    plan,
    items: prepared.map(({ line, id, data, problems }) => ({
      line,
      row: { ...(id !== undefined && { id }), data },
      problems,
    })),
    skipped: skipped.map(({ row: { line }, recordId }) => ({ line, recordId })),
  }
}

/** Also stores the rows that failed and the first skipped rows, which the dashboard shows for an import. */
async function save(
  tx: Db,
  job: JobOfCaller,
  {
    rows,
    results,
    failed,
    skipped,
  }: Pick<Items, 'skipped'> & {
    rows: readonly CsvRow[]
    results: JobResult[]
    failed: FailedTexts
  },
): Promise<void> {
  const sorted = results.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, sorted, { readLines: job.readLines + rows.length })
  if (!job.importSettings) return
  await insertFailures(tx, job, failedRows(rows, failed))
  await followJob(tx, job, skipped)
}

/** @returns the number of written rows, without rows before the position of the job, which are already written */
export async function csvBatch(
  ctx: JobsContext,
  tx: Db,
  job: JobOfCaller,
  { start, rows }: RowBatch,
): Promise<number> {
  const rest = rows.slice(Math.max(0, job.readLines - start))
  if (rest.length === 0) return 0
  const readable = rest.filter(({ error, isBlank }) => error === undefined && !isBlank)
  const { plan, items, skipped } = await withCurrentModel(
    { ...ctx, db: tx },
    job.org,
    job.objectId,
    (model) => itemsOf({ ctx, tx, job }, model, readable),
  )
  const failed = new Map<number, string>()
  const cellsOf = new Map(readable.map(({ line, cells }) => [line, cells]))
  const onFailed = ({ line }: Item, row: FailedRow) =>
    void failed.set(line, textOfFailed(plan, { line, cells: cellsOf.get(line) ?? [] }, row))
  const written = await writeItems({ ctx, tx, job, ...(job.importSettings && { onFailed }) }, items)
  const faults = rest.flatMap(({ line, error }) =>
    error === undefined ? [] : unreadable({ line, fault: error }),
  )
  const results = [...written, ...skipped.map(leftOut), ...faults]
  await save(tx, job, { rows: rest, results, failed, skipped })
  return rest.length
}
