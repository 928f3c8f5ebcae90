// Erases imports whose file, preview or check contains a value of the record, and failed rows with such a value.
import sql from 'sql-template-tag'
import { decodeAny, type Encoding } from '../../imports/csv/encoding.ts'
import { readChunks } from '../../imports/store.ts'
import type { Markers } from '../markers.ts'
import { createMatcher, hasMarker, longestMarker } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

interface ImportRow {
  id: string
  encoding: Encoding | null
  /** Whether a shown column contains one of the values. */
  isShown: boolean
  hasFile: boolean
}

interface Found extends Pick<ImportRow, 'id'> {
  contains: boolean
}

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Column headers are kept, because they are the names of attributes. */
const SHOWN = {
  texts: [sql`i.file_name`, sql`i.error`],
  json: [
    sql`i.columns::text`,
    sql`i.preview::text`,
    sql`i.settings::text`,
    sql`i.problems::text`,
    sql`i.problem_groups::text`,
    sql`i.check_result::text`,
    sql`i.related::text`,
  ],
}

const selectNext = ({ ctx, erasure: { org, place }, markers }: ErasureWork) =>
  ctx.db.maybeOne<ImportRow>(sql`
    select i.id, i.encoding, i.file_removed_at is null as "hasFile",
      ${hasMarker(markers, SHOWN)} as "isShown"
    from imports i where i.org = ${org} and i.id > ${place ?? FIRST}::uuid order by i.id limit 1`)

/** Represents text that may continue at the start or end of a piece. */
const CUT = 'x'

/** Searches piece by piece, each together with the end of the previous piece: a value may be in both. */
export async function fileContains(markers: Markers, texts: AsyncIterable<string>): Promise<boolean> {
  const matches = createMatcher(markers)
  const overlap = longestMarker(markers)
  let before = ''
  let start = ''
  for await (const text of texts) {
    const all = before + text
    if (matches(`${start}${all}${CUT}`)) return true
    before = all.slice(-overlap)
    start = all.length > before.length ? CUT : start
  }
  return matches(`${start}${before}`)
}

async function before(work: ErasureWork): Promise<Found | undefined> {
  const { ctx, erasure, markers } = work
  const row = await selectNext(work)
  if (!row) return undefined
  const { id, encoding, isShown, hasFile } = row
  const texts = decodeAny(readChunks(ctx.db, { org: erasure.org, id }), encoding ?? 'utf-8')
  return { id, contains: isShown || (hasFile && (await fileContains(markers, texts))) }
}

/** Also locks the row, so that an import that is not busy cannot start before its file is deleted. */
const isBusy = async ({ tx, erasure: { org } }: ErasureBatchWork, id: string): Promise<boolean> =>
  (await tx.maybeValue<boolean>(sql`
    select state in ('checking', 'running') as busy from imports where org = ${org} and id = ${id} for update`)) ??
  false

const emptyImport = async ({ tx, erasure: { org } }: ErasureBatchWork, id: string): Promise<void> => {
  await tx.run(sql`delete from import_chunks where org = ${org} and import = ${id}`)
  await tx.run(sql`delete from import_claims where org = ${org} and import = ${id}`)
  await tx.run(sql`
    update imports i set file_name = 'erased.csv', preview = '[]', problems = '[]', problem_groups = default,
      error = null, check_result = null, related = '[]', settings = i.settings - 'replacements' - 'fixedValues',
      file_removed_at = coalesce(i.file_removed_at, now()),
      columns = coalesce((
        select jsonb_agg(c.one || '{"samples": []}' order by c.place)
        from jsonb_array_elements(i.columns) with ordinality as c(one, place)), '[]')
    where i.org = ${org} and i.id = ${id}`)
}

/** Waits for a running import, which would write the record again. */
async function batch(work: ErasureBatchWork, found: Found | undefined): Promise<ErasureBatch> {
  if (!found) return { isDone: true }
  const { tx, erasure, markers } = work
  if (found.contains && (await isBusy(work, found.id)))
    return { isDone: false, place: erasure.place ?? undefined, waitsFor: 'imports' }
  if (found.contains) await emptyImport(work, found.id)
  const importRows = await tx.run(sql`
    delete from import_failures f where f.org = ${erasure.org} and f.import = ${found.id}
      and ${hasMarker(markers, { texts: [sql`f.error`], json: [sql`f.cells::text`] })}`)
  return { isDone: false, place: found.id, counts: { imports: found.contains ? 1 : 0, importRows } }
}

export const imports: ErasureStep<Found | undefined> = { name: 'imports', before, batch }

/**
 * Waits for imports that were running at the first batch and write records of the object. Each may write the record
 * again after its deletion, also through a value that does not identify it. Later imports are found by the next step,
 * or contain nothing of the record.
 */
async function wait({ tx, erasure: { org, obj, place } }: ErasureBatchWork): Promise<ErasureBatch> {
  const since = place ?? (await tx.value<string>(sql`select clock_timestamp()::text as now`))
  const isRunning = await tx.value<boolean>(sql`
    select exists (
      select from imports where org = ${org} and state = 'running'
        and (obj = ${obj} or settings->'mapping' @> '[{"onProblem": "create"}]')
        and started_at <= ${since}::timestamptz)
      or exists (
      select from record_jobs where org = ${org} and status = 'running' and type in ('import', 'update')
        and (obj = ${obj} or settings->'createMissing' = 'true')
        and started_at <= ${since}::timestamptz) as found`)
  return isRunning ? { isDone: false, place: since, waitsFor: 'imports' } : { isDone: true }
}

export const runningImports: ErasureStep = { name: 'running-imports', batch: wait }
