// Imports rows as records through the bulk write, with the same rules as requests.
import { IMPORT_SKIPS_MAX } from '../../contract/import-states.ts'
import type { CellFormat, DuplicateChoice, EmptyCells, SkippedRow } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { errorCode } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { bulkWrite, type Written } from '../records/bulk/service.ts'
import { rowData } from '../records/import/cells.ts'
import { type Column, type Mapping, type MappingOptions, mapColumns } from '../records/import/columns.ts'
import { requireActive } from '../records/read/record-of.ts'
import { PLAIN_FORMAT } from './content.ts'
import type { ImportContext } from './context.ts'
import { creatingColumns } from './creating-columns.ts'
import { BATCH_CHARACTERS, type CsvRow, charactersOf } from './csv/read.ts'
import { lastRecordId } from './existing.ts'
import type { FailedFileRow } from './failed-file.ts'
import { executeInOrder } from './in-order.ts'
import { plainCells } from './local-format.ts'
import { creatingMissing } from './missing-records.ts'
import { prepareRows } from './prepared-rows.ts'
import { requireReferred } from './reference-columns.ts'
import { problemsByPlace } from './references.ts'
import { howOf, refuseMatching, type TableRow } from './settings.ts'

export interface ImportOptions extends MappingOptions {
  objectRef: string
  format?: CellFormat
  empty?: EmptyCells
  /** What becomes of rows that match a record; without it only matchOn decides. */
  duplicates?: DuplicateChoice | undefined
  /** Create the records that reference columns name and that do not exist. */
  createsMissing?: boolean
  /** Reject unused columns instead of ignoring them. */
  strict?: boolean
  /** Nothing is written: onMapped says what would be. */
  isDryRun?: boolean
  /** Stops between two batches: a started batch is written and reported. */
  signal?: AbortSignal
  onMapped?: (mapping: Mapping) => void
  onFailedRow?: (row: FailedFileRow) => void | Promise<void>
  /** How many rows are done. */
  onProgress?: (rows: number) => void
}

export interface ImportOutcome {
  created: number
  updated: number
  /** Rows whose record had their values already. */
  unchanged: number
  failed: number
  /** Rows that match a record and are left out. */
  skipped: number
  /** The first of them. */
  skippedRows: SkippedRow[]
  skippedColumns: readonly string[]
  /** How many records were created because cells name them, by the slug of their object. */
  related: Record<string, number>
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

/** A row as a record. */
interface Input extends TableRow {
  /** Among the rows of the batch. */
  place: number
}

interface Batch {
  rows: CsvRow[]
  /** The rows that can be read. */
  inputs: Input[]
}

/** What became of a batch: why rows failed, by place. */
interface BatchResult extends Pick<Written, 'created' | 'updated'> {
  unchanged: number
  skips: SkippedRow[]
  refused: ReadonlyMap<number, string>
}

/** Large enough that the cost per statement is small, and small enough to hold several batches in memory. */
const BATCH_ROWS = 1000
const IN_FLIGHT = 2

const newBatch = (): Batch => ({ rows: [], inputs: [] })

/** @returns undefined when the row cannot be read */
function inputOf(
  { cells, error }: CsvRow,
  { columns, idIndex }: Mapping,
  { format = PLAIN_FORMAT, empty }: ImportOptions,
): Omit<Input, 'place'> | undefined {
  if (error !== undefined) return undefined
  const id = idIndex === undefined ? '' : (cells[idIndex] ?? '').trim()
  const data = rowData(columns, plainCells(cells, columns, format), empty)
  return { ...(id !== '' && { id }), data, cells }
}

async function* batchesOf(
  rows: AsyncIterable<CsvRow>,
  mapping: Mapping,
  options: ImportOptions,
): AsyncGenerator<Batch> {
  const { signal } = options
  let batch = newBatch()
  let characters = 0
  for await (const row of rows) {
    if (signal?.aborted) return
    const place = batch.rows.push(row) - 1
    const input = inputOf(row, mapping, options)
    if (input) batch.inputs.push({ place, ...input })
    characters += charactersOf(row)
    if (batch.rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = newBatch()
    characters = 0
  }
  if (batch.rows.length > 0 && !signal?.aborted) yield batch
}

function failuresOf({ rows }: Batch, { refused }: BatchResult): FailedFileRow[] {
  return rows.flatMap(({ line, cells, error = '' }, place) => {
    const reason = refused.get(place) ?? error
    return reason === '' ? [] : [{ line, cells, error: reason }]
  })
}

/** Reads the first row, which contains the column names. The iterator continues after it. */
async function takeHeaders(rows: AsyncIterator<CsvRow>): Promise<string[]> {
  const first = await rows.next()
  if (first.done)
    throw invalidField('columns', 'nothing_to_import', 'the file is empty: choose one with a header and rows')
  const { error, cells, line } = first.value
  if (error === undefined) return cells
  throw invalidField('columns', 'unreadable', `the header on line ${line} cannot be read: ${error}`)
}

function requireAllUsed({ skipped }: Mapping, strict: boolean | undefined): void {
  if (!strict || skipped.length === 0) return
  const names = skipped.map((header) => `"${header}"`).join(', ')
  throw invalidField(
    'columns',
    'unknown_column',
    `no attribute is filled by ${names}: map them with --map, or leave out --strict`,
  )
}

const doneRows = ({ created, updated, unchanged, failed, skipped }: ImportOutcome): number =>
  created + updated + unchanged + failed + skipped

async function settle(outcome: ImportOutcome, batch: Batch, result: BatchResult, options: ImportOptions) {
  const failures = failuresOf(batch, result)
  // Counts first: these rows are committed, even if reporting the failures throws.
  outcome.created += result.created
  outcome.updated += result.updated - result.unchanged
  outcome.unchanged += result.unchanged
  outcome.failed += failures.length
  outcome.skipped += result.skips.length
  outcome.skippedRows.push(...result.skips.slice(0, IMPORT_SKIPS_MAX - outcome.skippedRows.length))
  outcome.lastLine = batch.rows.at(-1)?.line ?? outcome.lastLine
  for (const row of failures) await options.onFailedRow?.(row)
  options.onProgress?.(doneRows(outcome))
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

interface Writing {
  model: ObjectModel
  columns: readonly Column[]
  options: ImportOptions
  outcome: ImportOutcome
  /** The last record that was there before the import. */
  until: string | undefined
}

/** Names of records in cells become ids before the rows are written. */
function writerFor(ctx: ImportContext, caller: Caller, { model, columns, options, outcome, until }: Writing) {
  const { related } = outcome
  const { matchOn, duplicates } = options
  const onCreated = async ({ slug }: ObjectModel, { length }: readonly string[]) => {
    if (length > 0) related[slug] = (related[slug] ?? 0) + length
  }
  const create = creatingMissing({ ctx, caller, onCreated })
  const compared = duplicates === 'create' ? undefined : duplicates
  const preparing = { ctx, caller, model, columns, matchOn, duplicates: compared, until, create }
  return async ({ inputs, rows }: Batch): Promise<BatchResult> => {
    const refused = new Map<number, string>()
    if (inputs.length === 0) return { created: 0, updated: 0, unchanged: 0, refused, skips: [] }
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    const prepared = await prepareRows(preparing, inputs)
    const records = prepared.rows.map(({ id, data }) => ({ ...(id !== undefined && { id }), data }))
    const result = await bulkWrite(
      ctx,
      caller,
      options.objectRef,
      { ...howOf(matchOn, duplicates), records },
      { hasExchanges: false, problems: problemsByPlace(prepared.rows) },
    )
    for (const { index, error } of result.failed) refused.set(prepared.rows[index]?.place ?? index, error)
    const skips = prepared.skipped.map(({ row, recordId }) => ({
      line: rows[row.place]?.line ?? 0,
      recordId,
    }))
    const { created, updated, unchanged } = result
    return { created, updated, unchanged: unchanged.size, refused, skips }
  }
}

/** Rows of two batches may update the same record, and the later one wins, or name the same missing one. */
const inFlightOf = ({ matchOn, duplicates, createsMissing }: ImportOptions) =>
  matchOn === undefined && duplicates !== 'update' && !createsMissing ? IN_FLIGHT : 1

/**
 * Imports rows, the first of which names the columns, in batches that are written whole or not at all. Failed rows
 * are reported and skipped. After the first batch it does not throw: the outcome says how far it got.
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, before anything is written
 */
export async function importRecords(
  ctx: ImportContext,
  caller: Caller,
  table: AsyncIterable<CsvRow>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { objectRef, signal } = options
  const rows = table[Symbol.asyncIterator]()
  const model = await ctx.models.get(ctx.db, caller.org, objectRef)
  requireActive(model)
  refuseMatching(options.matchOn, options.duplicates)
  const mapping = mapColumns(model, await takeHeaders(rows), options)
  await requireReferred(ctx, caller, mapping.columns, ({ header }) => `map.${header}`)
  requireAllUsed(mapping, options.strict)
  options.onMapped?.(mapping)
  const outcome: ImportOutcome = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    skipped: 0,
    skippedRows: [],
    skippedColumns: mapping.skipped,
    related: {},
    lastLine: 0,
  }
  if (options.isDryRun) {
    await rows.return?.()
    return outcome
  }
  const columns = creatingColumns(model, options, mapping.columns)
  const until = await lastRecordId(ctx.db, { org: caller.org, objectId: model.id })
  const write = writerFor(ctx, caller, { model, columns, options, outcome, until })
  const rest = { [Symbol.asyncIterator]: () => rows }
  await executeInOrder(batchesOf(rest, mapping, options), write, {
    inFlight: inFlightOf(options),
    onDone: (batch, result) => settle(outcome, batch, result, options),
    onFailed: (batch, reason) => giveUp(outcome, batch, reason),
  }).catch((error: unknown) => {
    outcome.stopped ??= error
  })
  if (signal?.aborted) outcome.stopped ??= signal.reason
  return outcome
}
