// Exports all records of an object as text, from one snapshot.
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { readAtReplica } from '../../db/replicas/replica-reads.ts'
import { createModels } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { RecordExportContext } from './context.ts'
import { readFields } from './fields.ts'
import { ResumedText } from './resumed-text.ts'
import { countStoredRecords, selectBatch, takeAnyIdleTime } from './store.ts'
import { csvOf, headersOf, headOf, type Layout, layoutOf, linesOf } from './text.ts'

export type ExportFormat = 'csv' | 'ndjson'

export interface ExportOptions {
  objectRef: string
  format: ExportFormat
  /** Slugs and paths of the attributes; all if missing. */
  fields?: string[] | undefined
  /** Writes the next piece of text; the export continues when the promise resolves. */
  write: (text: string) => Promise<void>
  signal?: AbortSignal
  onProgress?: (progress: { records: number; total: number }) => void
}

const BATCH = 1000

async function writeAll(
  tx: Db,
  layout: Layout,
  { format, write, signal, onProgress }: Omit<ExportOptions, 'objectRef' | 'fields'>,
): Promise<number> {
  const { model } = layout
  const total = onProgress ? await countStoredRecords(tx, model) : 0
  const headers = headersOf(layout)
  const textOf = (batch: StoredRecord[]) =>
    format === 'csv' ? csvOf(tx, layout, { headers, records: batch }) : linesOf(tx, layout, batch)
  if (format === 'csv') await write(headOf(headers))
  let records = 0
  let after: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const batch = await selectBatch(tx, model, { after, limit: BATCH })
    if (batch.length > 0) await write(await textOf(batch))
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
 * @throws 404 not_found, 400 validation_error, before anything is written
 */
export function exportRecords(
  ctx: RecordExportContext,
  caller: Caller,
  { objectRef, fields, ...options }: ExportOptions,
): Promise<number> {
  const text = new ResumedText(options.write)
  const { org } = caller
  return readAtReplica(ctx, { kind: 'export', org, signal: options.signal }, ({ exports }) =>
    exports.pool.snapshot(async (tx) => {
      await takeAnyIdleTime(tx)
      // The model from the snapshot, not from the cache of this process.
      const models = createModels()
      const model = await models.get(tx, org, objectRef)
      const named = fields && (await readFields({ db: tx, models }, caller, model, fields))
      const { write, end } = text.begin()
      const records = await writeAll(tx, layoutOf(model, named), { ...options, write })
      end()
      return records
    }),
  )
}
