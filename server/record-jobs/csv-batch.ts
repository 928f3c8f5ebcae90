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
import { resolveReferences } from '../imports/references.ts'
import { type RowBatch, readTextBatches } from '../imports/rows.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { rowData } from '../records/import/cells.ts'
import type { Mapping } from '../records/import/columns.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { cellFormatOf, mappingOf } from './csv-columns.ts'
import { type ImportBatch, type Item, unreadable, writeItems } from './import-batch.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import type { JobRef, JobSettings } from './store.ts'

export const readCsvBatches = (
  db: Db,
  ref: JobRef & { settings: JobSettings },
  { from, size }: { from: number; size: Pick<BatchSize, 'rows'> },
): AsyncGenerator<RowBatch> => {
  const { delimiter = ',', encoding = 'utf-8' } = ref.settings
  return readTextBatches(decodeText(readContent(db, ref), encoding), { delimiter, from, size })
}

function inputOf({ line, cells }: CsvRow, { columns, idIndex }: Mapping, settings: JobSettings) {
  const id = idIndex === undefined ? '' : (cells[idIndex] ?? '').trim()
  const plain = plainCells(cells, columns, cellFormatOf(settings))
  return { line, ...(id !== '' && { id }), data: rowData(columns, plain, settings.emptyCells) }
}

/** With ids in place of the names of records. */
async function itemsOf(
  { ctx, tx, job }: ImportBatch,
  model: ObjectModel,
  rows: readonly CsvRow[],
): Promise<Item[]> {
  const { createMissing = false, headers = [], matchOn } = job.settings
  const mapping = mappingOf(model, headers, job.settings)
  // Each row that is not skipped updates what it is matched with.
  const duplicates = job.settings.duplicates === 'skip' ? 'skip' : undefined
  const columns = creatingColumns(
    model,
    { createsMissing: createMissing, matchOn, duplicates },
    mapping.columns,
  )
  const within = { ...ctx, db: tx }
  const create = creatingMissing({ ctx: within, caller: job.caller, changeSetId: job.id })
  const inputs = rows.map((row) => inputOf(row, mapping, job.settings))
  const resolved = await resolveReferences(within, job.caller, { columns, create }, inputs)
  return resolved.map(({ line, id, data, problems }) => ({
    line,
    row: { ...(id !== undefined && { id }), data },
    problems,
  }))
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
  const items = await withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) =>
    itemsOf(batch, model, readable),
  )
  const faults = rest.flatMap(({ line, error }) =>
    error === undefined ? [] : unreadable({ line, fault: error }),
  )
  const written: JobResult[] = await writeItems(batch, items)
  const results = [...written, ...faults].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, results, { readLines: job.readLines + rest.length })
  return rest.length
}
