// Exports all records of an object as text, from one snapshot.
import { toCsv } from '../../../contract/csv-text.ts'
import type { Caller } from '../../base/caller.ts'
import { idTime } from '../../base/id.ts'
import { type JsonValue, parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { readAtReplica } from '../../db/replicas/replica-reads.ts'
import { createModels, type ObjectModel } from '../../model/attributes/models.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { type ExportColumn, exportColumns } from './cells.ts'
import type { RecordExportContext } from './context.ts'
import { ResumedText } from './resumed-text.ts'
import { countStoredRecords, selectBatch, takeAnyIdleTime } from './store.ts'

export type ExportFormat = 'csv' | 'ndjson'

export interface ExportOptions {
  objectRef: string
  format: ExportFormat
  /** Writes the next piece of text; the export continues when the promise resolves. */
  write: (text: string) => Promise<void>
  signal?: AbortSignal
  onProgress?: (progress: { records: number; total: number }) => void
}

const BATCH = 1000

type Render = (records: readonly StoredRecord[]) => string

const isoTime = (ms: number) => new Date(ms).toISOString()

function csvRow(columns: readonly ExportColumn[], { id, micros, data }: StoredRecord): string[] {
  const values = parseJson(data) as Record<string, JsonValue>
  const cells = columns.map(({ cellOf }) => cellOf(values))
  return [id, ...cells, isoTime(idTime(id)), isoTime(Math.floor(micros / 1000))]
}

function csv(model: ObjectModel): { head: string; render: Render } {
  const columns = exportColumns(model)
  return {
    head: toCsv([['id', ...columns.map(({ header }) => header), 'createdAt', 'updatedAt']]),
    render: (records) => toCsv(records.map((record) => csvRow(columns, record))),
  }
}

const ndjson = (model: ObjectModel): { head: string; render: Render } => ({
  head: '',
  render: (records) => records.map((record) => `${recordJson(model, record)}\n`).join(''),
})

const FORMATS = { csv, ndjson }

async function writeAll(
  tx: Db,
  model: ObjectModel,
  { format, write, signal, onProgress }: Omit<ExportOptions, 'objectRef'>,
): Promise<number> {
  const total = onProgress ? await countStoredRecords(tx, model) : 0
  const { head, render } = FORMATS[format](model)
  if (head !== '') await write(head)
  let records = 0
  let after: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const batch = await selectBatch(tx, model, { after, limit: BATCH })
    if (batch.length > 0) await write(render(batch))
    records += batch.length
    onProgress?.({ records, total })
    after = batch.at(-1)?.id
    if (batch.length < BATCH) return records
  }
}

/**
 * Writes every record of the object, oldest first: CSV with the columns of exportColumns between id, createdAt and
 * updatedAt, or one JSON document per line, shaped as contract/records.ts CrmRecord. If a replica fails, the primary
 * continues the text, provided that its text has the same beginning.
 * @returns how many records were written
 * @throws 404 not_found, before anything is written
 */
export function exportRecords(
  ctx: RecordExportContext,
  { org }: Caller,
  { objectRef, ...options }: ExportOptions,
): Promise<number> {
  const text = new ResumedText(options.write)
  return readAtReplica(ctx, { kind: 'export', org, signal: options.signal }, ({ exports }) =>
    exports.pool.snapshot(async (tx) => {
      await takeAnyIdleTime(tx)
      // The model from the snapshot, not from the cache of this process.
      const model = await createModels().get(tx, org, objectRef)
      const { write, end } = text.begin()
      const records = await writeAll(tx, model, { ...options, write })
      end()
      return records
    }),
  )
}
