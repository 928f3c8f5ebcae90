// Batches of an import of CSV. Only from its beginning is it known what is within quotes, so a worker reads the file on
// from batch to batch; the position that each saves counts rows.
import type { JobResult } from '../../contract/jobs.ts'
import type { Db } from '../db/pool.ts'
import { creatingColumns } from '../imports/creating-columns.ts'
import { decodeText } from '../imports/csv/encoding.ts'
import type { CsvRow } from '../imports/csv/read.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { plainCells } from '../imports/local-format.ts'
import { creatingMissing } from '../imports/missing-records.ts'
import { prepareRows, type TableRow } from '../imports/prepared-rows.ts'
import { type RowBatch, readTextBatches } from '../imports/rows.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { rowData } from '../records/import/cells.ts'
import type { Mapping } from '../records/import/columns.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { cellFormatOf, mappingOf } from './csv-columns.ts'
import { choiceOf, type ImportBatch, type Item, unreadable, writeItems } from './import-batch.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import type { JobRef, JobSettings, OpenJob } from './store.ts'

export const readCsvBatches = (
  db: Db,
  ref: JobRef & { settings: JobSettings },
  { from, size }: { from: number; size: Pick<BatchSize, 'rows'> },
): AsyncGenerator<RowBatch> => {
  const { delimiter = ',', encoding = 'utf-8' } = ref.settings
  return readTextBatches(decodeText(readContent(db, ref), encoding), { delimiter, from, size })
}

function inputOf(
  { line, cells }: CsvRow,
  { columns, idIndex }: Mapping,
  settings: JobSettings,
): TableRow & { line: number } {
  const id = idIndex === undefined ? '' : (cells[idIndex] ?? '').trim()
  const plain = plainCells(cells, columns, cellFormatOf(settings))
  return { line, ...(id !== '' && { id }), data: rowData(columns, plain, settings.emptyCells) }
}

/** Each row that is not skipped updates what it is matched with by matchOn. */
const columnsOf = (model: ObjectModel, { settings }: OpenJob, { columns }: Mapping) => {
  const { createMissing = false, matchOn, duplicateRules, duplicates } = settings
  const hasOthers = duplicateRules || duplicates === 'skip'
  const creating = { createsMissing: createMissing, matchOn, duplicates: hasOthers ? duplicates : undefined }
  return creatingColumns(model, creating, columns)
}

interface Items {
  items: Item[]
  /** Rows that match a record and are left out. */
  skipped: JobResult[]
}

/** With ids in place of the names of records. */
async function itemsOf(
  { ctx, tx, job }: ImportBatch,
  model: ObjectModel,
  rows: readonly CsvRow[],
): Promise<Items> {
  const { caller, settings } = job
  const mapping = mappingOf(model, settings.headers ?? [], settings)
  const within = { ...ctx, db: tx }
  const { rows: prepared, skipped } = await prepareRows(
    {
      ...{ ctx: within, caller, model, columns: columnsOf(model, job, mapping) },
      ...{ matchOn: settings.matchOn, duplicates: choiceOf(job), until: job.untilId ?? undefined },
      create: creatingMissing({ ctx: within, caller, changeSetId: job.id }),
    },
    rows.map((row) => inputOf(row, mapping, settings)),
  )
  return {
    items: prepared.map(({ line, id, data, problems }) => ({
      line,
      row: { ...(id !== undefined && { id }), data },
      problems,
    })),
    skipped: skipped.map(({ row, recordId }) => ({ line: row.line, id: recordId, status: 'skipped' })),
  }
}

/** @returns how many rows it has written: those before the position of the job are done already */
export async function csvBatch(
  ctx: JobsContext,
  tx: Db,
  job: JobOfCaller,
  { start, rows }: RowBatch,
): Promise<number> {
  const rest = rows.slice(Math.max(0, job.readLines - start))
  if (rest.length === 0) return 0
  const batch = { ctx, tx, job }
  const readable = rest.filter(({ error, isBlank }) => error === undefined && !isBlank)
  const { items, skipped } = await withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) =>
    itemsOf(batch, model, readable),
  )
  const faults = rest.flatMap(({ line, error }) =>
    error === undefined ? [] : unreadable({ line, fault: error }),
  )
  const written: JobResult[] = await writeItems(batch, items)
  const results = [...written, ...skipped, ...faults].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, results, { readLines: job.readLines + rest.length })
  return rest.length
}
