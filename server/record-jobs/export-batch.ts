// One batch of an export: the text of its records and the position of the job are one transaction.
import sql from 'sql-template-tag'
import { toCsv } from '../../contract/csv-text.ts'
import { idTime } from '../base/id.ts'
import { type JsonValue, parseJson } from '../base/json.ts'
import type { Db } from '../db/pool.ts'
import { requireFileRoom } from '../files/quota.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { recordsByIds } from '../model/objects/record-lookup.ts'
import { selectPage } from '../records/engine/executor.ts'
import { exportColumns } from '../records/export/cells.ts'
import { searchSort, updatedMicros } from '../records/rows/sorting.ts'
import { recordJson, type StoredRecord, visibleData } from '../records/rows/stored-record.ts'
import { insertPiece } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { countMatches, nextMatches, readFilter } from './matches.ts'
import type { JobOfCaller } from './save-batch.ts'
import { type ExportPosition, saveExported, saveJobTotal } from './store.ts'

/** Each record has at most 256 KiB, so this limits the memory of a batch. */
const RECORDS_MAX = 100
const PIECE_BYTES = 256 * 1024

const selectRecords = (tx: Db, model: ObjectModel, ids: readonly string[]) =>
  tx.many<StoredRecord>(sql`
    select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data
    from ${recordsByIds(model, sql`${ids}::uuid[]`)} order by r.id`)

/** The model with only the attributes of the export that the object still has. */
function exportedOf(model: ObjectModel, { settings: { fields } }: JobOfCaller): ObjectModel {
  if (fields === undefined) return model
  const others = [...model.attributes.keys()].filter((slug) => !fields.includes(slug))
  return { ...model, hiddenSlugs: [...model.hiddenSlugs, ...others] }
}

const isoTime = (ms: number) => new Date(ms).toISOString()

/** The columns are those at the start. An attribute that was deleted since then has empty cells. */
function csvOf(model: ObjectModel, headers: readonly string[], records: readonly StoredRecord[]): string {
  const byHeader = new Map(exportColumns(model).map((column) => [column.header, column]))
  return toCsv(
    records.map(({ id, micros, data }) => {
      const values = parseJson(data) as Record<string, JsonValue>
      const cells = headers.map((header) => byHeader.get(header)?.cellOf(values) ?? '')
      return [id, ...cells, isoTime(idTime(id)), isoTime(Math.floor(micros / 1000))]
    }),
  )
}

const headOf = (headers: readonly string[]): string => toCsv([['id', ...headers, 'createdAt', 'updatedAt']])

function textOf(
  model: ObjectModel,
  { settings, bytes }: JobOfCaller,
  records: readonly StoredRecord[],
): string {
  const { format, headers = [] } = settings
  if (format !== 'csv') return records.map((record) => `${recordJson(model, record)}\n`).join('')
  return `${bytes === 0 ? headOf(headers) : ''}${csvOf(model, headers, records)}`
}

/** @returns the new size of the file */
async function append(ctx: JobsContext, tx: Db, job: JobOfCaller, text: string): Promise<number> {
  const bytes = Buffer.from(text)
  if (bytes.length > 0) await requireFileRoom({ ...ctx, db: tx }, job.org, bytes.length)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await insertPiece(tx, job, { offset: job.bytes + at, bytes: bytes.subarray(at, at + PIECE_BYTES) })
  return job.bytes + bytes.length
}

/** Writes the header, which is also the file of an object without records. */
async function writeHead(ctx: JobsContext, tx: Db, model: ObjectModel, job: JobOfCaller): Promise<void> {
  const bytes = await append(ctx, tx, job, textOf(model, job, []))
  await saveExported(tx, job, { records: 0, bytes, lastId: job.lastId })
}

interface Read extends ExportPosition {
  records: StoredRecord[]
}

interface Reading {
  within: JobsContext
  model: ObjectModel
  job: JobOfCaller
  /** The last record that existed when the job was created. */
  until: string
  limit: number
}

const filtersOf = ({ within, model, job: { caller, settings } }: Reading) =>
  readFilter(within, caller, model, settings.filter)

/** @returns undefined if no record is left */
async function readById(reading: Reading): Promise<Read | undefined> {
  const { within, model, job, until, limit } = reading
  const filters = await filtersOf(reading)
  const walk = { filters, after: job.lastId, until, limit: Math.min(limit, RECORDS_MAX) }
  const { ids, lastId } = await nextMatches(within.db, model, walk)
  if (lastId === undefined) return undefined
  const records = ids.length === 0 ? [] : await selectRecords(within.db, exportedOf(model, job), ids)
  return { records, lastId }
}

/** Reads a page of a search, which is shorter if its records are large. @returns undefined if no record is left */
async function readSorted(reading: Reading): Promise<Read | undefined> {
  const { within, model, job, until, limit } = reading
  const { sort, after } = job.settings
  if (after === null) return undefined
  const page = await selectPage(within.db, exportedOf(model, job), {
    ...{ filters: await filtersOf(reading), sort: searchSort(model, sort, job.caller) },
    ...{ position: after, limit, offset: 0, count: false },
  })
  return { records: page.records.filter(({ id }) => id <= until), lastId: null, after: page.next ?? null }
}

/** Writes the header, and counts the records. */
async function begin({ within, model, job }: Omit<Reading, 'until' | 'limit'>): Promise<void> {
  const { untilId, caller, settings } = job
  await writeHead(within, within.db, model, job)
  const total = untilId === null ? 0 : await countMatches(within, caller, model, settings.filter)
  await saveJobTotal(within.db, job, total)
}

/** @returns the number of processed records, or 1 for a step without matches; 0 if none is left */
export const exportBatch = (ctx: JobsContext, tx: Db, job: JobOfCaller, limit: number): Promise<number> =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, async (model) => {
    const { untilId: until, settings } = job
    const within = { ...ctx, db: tx }
    if (job.total === null) {
      await begin({ within, model, job })
      return 1
    }
    if (until === null) return 0
    const read = await (settings.sort ? readSorted : readById)({ within, model, job, until, limit })
    if (!read) return 0
    const { records, ...position } = read
    const bytes = await append(ctx, tx, job, records.length === 0 ? '' : textOf(model, job, records))
    await saveExported(tx, job, { records: records.length, bytes, ...position })
    return Math.max(1, records.length)
  })
