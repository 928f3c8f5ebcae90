// One batch of an export: the text of its records and the position of the job are one transaction.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { requireFileRoom } from '../files/quota.ts'
import { cutToSize } from '../http/page-size.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { recordsByIds } from '../model/objects/record-lookup.ts'
import { selectPage } from '../records/engine/executor.ts'
import { currentFields } from '../records/export/fields.ts'
import { csvOf, headOf, type Layout, layoutOf, linesOf } from '../records/export/text.ts'
import { pageLine, readLine } from '../records/rows/page-lines.ts'
import { searchSort } from '../records/rows/sorting.ts'
import { type StoredRecord, visibleData } from '../records/rows/stored-record.ts'
import { insertPiece } from './content-store.ts'
import type { JobsContext } from './context.ts'
import { countMatches, nextMatches, readFilter } from './matches.ts'
import type { JobOfCaller } from './save-batch.ts'
import { type ExportPosition, type JobSettings, saveExported, saveJobTotal } from './store.ts'

const PIECE_BYTES = 256 * 1024

/** The first of the records, as many as fit into a page. */
async function selectRecords(tx: Db, model: ObjectModel, ids: readonly string[]) {
  const rows = sql`
    select r.id, ${pageLine(visibleData(model))} as line from ${recordsByIds(model, sql`${ids}::uuid[]`)}`
  const { lines, isWhole } = await tx.one<{ lines: string | null; isWhole: boolean }>(sql`
    select string_agg(line, E'\n' order by id) as lines, count(*) = coalesce(max("rowCount"), 0) as "isWhole"
    from (${cutToSize(rows, { text: sql`line`, order: sql`id` })}) as fitting`)
  return { records: (lines?.split('\n') ?? []).map(readLine), isWhole }
}

/** Attributes that were deleted since the start are left out. */
const currentLayout = async (
  ctx: JobsContext,
  model: ObjectModel,
  { fields }: JobSettings,
): Promise<Layout> => layoutOf(model, fields && (await currentFields(ctx, model, fields)))

/** The columns are those at the start. An attribute that was deleted since then has empty cells. */
async function textOf(
  tx: Db,
  layout: Layout,
  { settings: { format, headers = [] } }: JobOfCaller,
  records: readonly StoredRecord[],
): Promise<string> {
  if (records.length === 0) return ''
  return format === 'csv' ? csvOf(tx, layout, { headers, records }) : linesOf(tx, layout, records)
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
async function writeHead(ctx: JobsContext, tx: Db, job: JobOfCaller): Promise<void> {
  const { format, headers = [] } = job.settings
  const bytes = await append(ctx, tx, job, format === 'csv' ? headOf(headers) : '')
  await saveExported(tx, job, { records: 0, bytes, lastId: job.lastId })
}

interface Read extends ExportPosition {
  records: StoredRecord[]
}

interface Reading {
  within: JobsContext
  model: ObjectModel
  layout: Layout
  job: JobOfCaller
  /** The last record that existed when the job was created. */
  until: string
  limit: number
}

const filtersOf = ({ within, model, job: { caller, settings } }: Reading) =>
  readFilter(within, caller, model, settings.filter)

/** @returns undefined if no record is left */
async function readById(reading: Reading): Promise<Read | undefined> {
  const { within, model, layout, job, until, limit } = reading
  const walk = { filters: await filtersOf(reading), after: job.lastId, until, limit }
  const { ids, lastId } = await nextMatches(within.db, model, walk)
  if (lastId === undefined) return undefined
  if (ids.length === 0) return { records: [], lastId }
  const { records, isWhole } = await selectRecords(within.db, layout.model, ids)
  return { records, lastId: isWhole ? lastId : (records.at(-1)?.id ?? lastId) }
}

/** Reads a page of a search, which is shorter if its records are large. @returns undefined if no record is left */
async function readSorted(reading: Reading): Promise<Read | undefined> {
  const { within, model, layout, job, until, limit } = reading
  const { sort, after } = job.settings
  if (after === null) return undefined
  const page = await selectPage(within.db, layout.model, {
    ...{ filters: await filtersOf(reading), sort: searchSort(model, sort, job.caller) },
    ...{ position: after, limit, offset: 0, count: false },
  })
  return { records: page.records.filter(({ id }) => id <= until), lastId: null, after: page.next ?? null }
}

/** Writes the header, and counts the records. */
async function begin({ within, model, job }: Pick<Reading, 'within' | 'model' | 'job'>): Promise<void> {
  const { untilId, caller, settings } = job
  await writeHead(within, within.db, job)
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
    const layout = await currentLayout(within, model, settings)
    const read = await (settings.sort ? readSorted : readById)({ within, model, layout, job, until, limit })
    if (!read) return 0
    const { records, ...position } = read
    const bytes = await append(ctx, tx, job, await textOf(tx, layout, job, records))
    await saveExported(tx, job, { records: records.length, bytes, ...position })
    return Math.max(1, records.length)
  })
