// Batches of an import of CSV. Quotes can only be interpreted from the beginning of the file, so a worker reads the
// file in one pass over all batches. The saved position counts rows.
import type { SkippedRow } from '../../contract/imports.ts'
import type { JobResult } from '../../contract/job-results.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Db } from '../db/pool.ts'
import { decodeText } from '../imports/csv/encoding.ts'
import type { CsvRow } from '../imports/csv/read.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { creatingMissing } from '../imports/missing-records.ts'
import { ownNameParts } from '../imports/own-names.ts'
import { choosePrepared, type Preparing, resolveRows } from '../imports/prepared-rows.ts'
import { addRelated } from '../imports/related-store.ts'
import { type RowBatch, readTextBatches } from '../imports/rows.ts'
import { type CellPlan, inputOf, type TableRow } from '../imports/settings.ts'
import type { RowCheck } from '../imports/skipped-cells.ts'
import { insertFailures, readChunks } from '../imports/store.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { planOf } from './csv-plan.ts'
import { writeOrCheck } from './dry-run.ts'
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

type PreparedRow = TableRow & RowCheck & { line: number }

interface Chosen {
  plan: CellPlan
  /** Rows to write, in parts: the names in a part are looked up when the earlier parts are written. */
  parts: PreparedRow[][]
  /** Rows that match a record and are skipped. */
  skipped: SkippedRow[]
}

const withModel = <Result>({ ctx, tx, job }: ImportBatch, work: (model: ObjectModel) => Promise<Result>) =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, work)

function preparingOf({ ctx, tx, job }: ImportBatch, model: ObjectModel, { columns }: CellPlan): Preparing {
  const { caller, settings, importSettings } = job
  const within = { ...ctx, db: tx }
  const onCreated = (target: ObjectModel, names: string[]) => addRelated(tx, job, target.id, names)
  return {
    ...{ ctx: within, caller, model, columns, matchOn: settings.matchOn },
    ...{ duplicates: choiceOf(job), until: job.untilId ?? undefined },
    create: creatingMissing({
      ctx: within,
      caller,
      changeSetId: job.id,
      ...(importSettings && { onCreated }),
    }),
  }
}

const chooseItems = (batch: ImportBatch, rows: readonly CsvRow[]): Promise<Chosen> =>
  withModel(batch, async (model) => {
    const plan = planOf(model, batch.job)
    const preparing = preparingOf(batch, model, plan)
    const inputs = rows.map(({ line, cells }) => ({ line, ...inputOf(plan, cells) }))
    const { rows: kept, skipped } = await choosePrepared(preparing, inputs)
    const parts = await ownNameParts(preparing, kept)
    return {
      plan,
      parts: parts.map((places) => places.flatMap((place) => kept[place] ?? [])),
      skipped: skipped.map(({ row: { line }, recordId }) => ({ line, recordId })),
    }
  })

/** Replaces names of records by their ids. */
const itemsOf = (batch: ImportBatch, rows: readonly PreparedRow[]): Promise<Item[]> =>
  withModel(batch, async (model) => {
    const resolved = await resolveRows(preparingOf(batch, model, planOf(model, batch.job)), rows)
    return resolved.map(({ line, id, data, problems }) => ({
      line,
      row: { ...(id !== undefined && { id }), data },
      problems,
    }))
  })

interface WrittenRows extends Pick<Chosen, 'skipped'> {
  results: JobResult[]
  failed: FailedTexts
}

/** Also stores the rows that failed and the first skipped rows, which the dashboard shows for an import. */
async function save(
  tx: Db,
  job: JobOfCaller,
  { rows, results, failed, skipped }: WrittenRows & { rows: readonly CsvRow[] },
): Promise<void> {
  const sorted = results.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  await saveBatch(tx, job, sorted, { readLines: job.readLines + rows.length })
  if (!job.importSettings) return
  await insertFailures(tx, job, failedRows(rows, failed))
  await followJob(tx, job, skipped)
}

async function writeRows({ ctx, tx, job }: ImportBatch, rows: readonly CsvRow[]): Promise<WrittenRows> {
  const { plan, parts, skipped } = await chooseItems({ ctx, tx, job }, rows)
  const failed = new Map<number, string>()
  const cellsOf = new Map(rows.map(({ line, cells }) => [line, cells]))
  const onFailed = ({ line }: Item, row: FailedRow) =>
    void failed.set(line, textOfFailed(plan, { line, cells: cellsOf.get(line) ?? [] }, row))
  const batch = { ctx, tx, job, ...(job.importSettings && { onFailed }) }
  const written: JobResult[] = []
  for (const part of parts) written.push(...(await writeItems(batch, await itemsOf(batch, part))))
  return { results: [...written, ...skipped.map(leftOut)], failed, skipped }
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
  const written = await writeOrCheck({ ctx, tx, job }, (batch) => writeRows(batch, readable))
  const faults = rest.flatMap(({ line, error }) =>
    error === undefined ? [] : unreadable({ line, fault: error }),
  )
  await save(tx, job, { ...written, rows: rest, results: [...written.results, ...faults] })
  return rest.length
}
