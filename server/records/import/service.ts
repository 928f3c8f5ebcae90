// Imports rows as records through the bulk write, with the same rules as requests.
import type { BulkResult, BulkWrite } from '../../../contract/records.ts'
import { unescapeFormula } from '../../../contract/spreadsheet-text.ts'
import type { Caller, Context } from '../../context.ts'
import { errorCode } from '../../db/pool.ts'
import { AppError, invalidField } from '../../errors.ts'
import { bulkWrite } from '../bulk.ts'
import { requireActive } from '../service.ts'
import { dataOf } from './cells.ts'
import { type Mapping, type MappingOptions, mapColumns } from './columns.ts'
import { BATCH_CHARACTERS, type CsvRow, charactersOf } from './csv.ts'
import { inOrder } from './in-order.ts'

/** A failed row, with the message of the service. */
export interface FailedRow {
  line: number
  error: string
  cells: readonly string[]
}

export interface ImportProgress {
  /** Bytes of the source whose rows are done. */
  bytes: number
  /** Rows that are done. */
  rows: number
}

export interface ImportOptions extends MappingOptions {
  objectRef: string
  /** Reject unused columns instead of ignoring them. */
  strict?: boolean
  /** Stops between two batches: a started batch is written and reported. */
  signal?: AbortSignal
  onMapped?: (mapping: Mapping) => void
  onFailedRow?: (row: FailedRow) => void | Promise<void>
  onProgress?: (progress: ImportProgress) => void
}

export interface ImportOutcome {
  created: number
  updated: number
  failed: number
  skippedColumns: readonly string[]
  /** The last line whose row is done; 0 if none is. */
  lastLine: number
  /** Set when the import ended early, with the reason: rows after lastLine were not written. */
  stopped?: unknown
  /** Lines of the batches that failed with it. */
  lost?: LostLines
}

export interface LostLines {
  first: number
  last: number
  /** The connection failed before the response: it is unknown whether the rows were committed. */
  isUnsure: boolean
}

interface Batch {
  rows: CsvRow[]
  /** The rows that can be sent, with their places in `rows`. */
  records: BulkWrite['records']
  places: number[]
}

/** Large enough that the cost per statement is small, and small enough to hold several batches in memory. */
const BATCH_ROWS = 1000
const IN_FLIGHT = 2

const newBatch = (): Batch => ({ rows: [], records: [], places: [] })

function addRow(batch: Batch, row: CsvRow, { columns, idIndex }: Mapping): void {
  batch.rows.push(row)
  if (row.error !== undefined) return
  const id = idIndex === undefined ? '' : (row.cells[idIndex] ?? '').trim()
  batch.places.push(batch.rows.length - 1)
  const cells = row.cells.map(unescapeFormula)
  batch.records.push({ ...(id !== '' && { id }), data: dataOf(columns, cells) })
}

async function* batchesOf(
  rows: AsyncIterable<CsvRow>,
  mapping: Mapping,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  let batch = newBatch()
  let characters = 0
  for await (const row of rows) {
    if (signal?.aborted) return
    addRow(batch, row, mapping)
    characters += charactersOf(row)
    if (batch.rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = newBatch()
    characters = 0
  }
  if (batch.rows.length > 0 && !signal?.aborted) yield batch
}

const NOTHING: BulkResult = { created: 0, updated: 0, failed: [], results: [] }

function failuresOf({ rows, places }: Batch, { failed }: BulkResult): FailedRow[] {
  const refused = new Map(failed.map(({ index, error }) => [places[index], error]))
  return rows.flatMap(({ line, cells, error = '' }, place) => {
    const reason = refused.get(place) ?? error
    return reason === '' ? [] : [{ line, cells, error: reason }]
  })
}

/** Reads the first row, which contains the column names. The iterator continues after it. */
async function takeHeaders(rows: AsyncIterator<CsvRow>): Promise<string[]> {
  const first = await rows.next()
  if (first.done) throw invalidField('columns', 'nothing_to_import', 'the file is empty')
  const { error, cells, line } = first.value
  if (error === undefined) return cells
  throw invalidField('columns', 'unreadable', `the header on line ${line} cannot be read. ${error}`)
}

function requireAllUsed({ skipped }: Mapping, strict: boolean | undefined): void {
  if (!strict || skipped.length === 0) return
  const names = skipped.map((header) => `"${header}"`).join(', ')
  throw invalidField('columns', 'unknown_column', `no attribute is filled by ${names}`)
}

async function settle(outcome: ImportOutcome, batch: Batch, result: BulkResult, options: ImportOptions) {
  const failures = failuresOf(batch, result)
  // Counts first: these rows are committed, even if reporting the failures throws.
  outcome.created += result.created
  outcome.updated += result.updated
  outcome.failed += failures.length
  const last = batch.rows.at(-1)
  outcome.lastLine = last?.line ?? outcome.lastLine
  const rows = outcome.created + outcome.updated + outcome.failed
  for (const row of failures) await options.onFailedRow?.(row)
  options.onProgress?.({ bytes: last?.bytes ?? 0, rows })
}

/** The database rejected the statement, so nothing was written. SQLSTATE codes have five characters, with a digit. */
const isRefusal = (reason: unknown) =>
  reason instanceof AppError || /^(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(reason) ?? '')

function giveUp(outcome: ImportOutcome, { rows }: Batch, reason: unknown): void {
  outcome.stopped ??= reason
  const first = outcome.lost?.first ?? rows[0]?.line ?? 0
  const isUnsure = (outcome.lost?.isUnsure ?? false) || !isRefusal(reason)
  outcome.lost = { first, last: rows.at(-1)?.line ?? first, isUnsure }
}

/** `id` needs no attribute to match on: each row names its record. */
function writerFor(ctx: Context, caller: Caller, { objectRef, matchOn }: ImportOptions) {
  const mode = matchOn === undefined ? ('create' as const) : ('upsert' as const)
  const how = matchOn === undefined || matchOn === 'id' ? { mode } : { mode, matchOn }
  return async ({ records }: Batch): Promise<BulkResult> =>
    records.length === 0 ? NOTHING : bulkWrite(ctx, caller, objectRef, { ...how, records })
}

/**
 * Imports rows, the first of which names the columns, in batches that are written whole or not at all. Failed rows
 * are reported and skipped. After the first batch it does not throw: the outcome says how far it got.
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, before anything is written
 */
export async function importRecords(
  ctx: Context,
  caller: Caller,
  table: AsyncIterable<CsvRow>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { objectRef, matchOn, signal } = options
  const rows = table[Symbol.asyncIterator]()
  const model = await ctx.models.get(ctx.db, caller.org, objectRef)
  requireActive(model)
  const mapping = mapColumns(model, await takeHeaders(rows), options)
  requireAllUsed(mapping, options.strict)
  options.onMapped?.(mapping)
  const outcome: ImportOutcome = {
    created: 0,
    updated: 0,
    failed: 0,
    skippedColumns: mapping.skipped,
    lastLine: 0,
  }
  const write = writerFor(ctx, caller, options)
  const rest = { [Symbol.asyncIterator]: () => rows }
  await inOrder(batchesOf(rest, mapping, signal), write, {
    // If two rows update the same record, the later one must win, so batches run one after the other.
    inFlight: matchOn === undefined ? IN_FLIGHT : 1,
    onDone: (batch, result) => settle(outcome, batch, result, options),
    onFailed: (batch, reason) => giveUp(outcome, batch, reason),
  }).catch((error: unknown) => {
    outcome.stopped ??= error
  })
  if (signal?.aborted) outcome.stopped ??= signal.reason
  return outcome
}
