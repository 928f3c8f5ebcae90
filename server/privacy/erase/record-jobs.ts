// Erases jobs of the API whose file or settings contain a value of the record, and results with such a value.
import sql from 'sql-template-tag'
import { decodeAny, ENCODINGS, type Encoding } from '../../imports/csv/encoding.ts'
import { readContent } from '../../record-jobs/content-store.ts'
import { hasMarker } from '../matching.ts'
import { fileContains } from './imports.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

interface Found {
  id: string
  contains: boolean
  isOfImport: boolean
}

const FIRST = '00000000-0000-0000-0000-000000000000'

interface JobRow extends Pick<Found, 'id' | 'isOfImport'> {
  isShown: boolean
  /** null: the file is incomplete, was made by an earlier version, or is not a table. */
  encoding: Encoding | null
  hasOtherBytes: boolean
}

/** The encodings to try: that of an incomplete file is not known, unless it is UTF-8. */
const encodingsOf = ({ encoding, hasOtherBytes }: JobRow): readonly Encoding[] =>
  encoding !== null ? [encoding] : hasOtherBytes ? ENCODINGS : ['utf-8']

async function isInFile({ ctx, erasure: { org }, markers }: ErasureWork, row: JobRow): Promise<boolean> {
  for (const encoding of encodingsOf(row)) {
    const texts = decodeAny(readContent(ctx.db, { org, id: row.id }), encoding)
    if (await fileContains(markers, texts)) return true
  }
  return false
}

async function before(work: ErasureWork): Promise<Found | undefined> {
  const { ctx, markers, erasure } = work
  const { org, place } = erasure
  const shown = { texts: [sql`j.error`], json: [sql`j.settings::text`] }
  const row = await ctx.db.maybeOne<JobRow>(sql`
    select j.id, j.settings ? 'ofImport' as "isOfImport", j.settings->>'encoding' as encoding, j.settings->'hasOtherBytes' is not null as "hasOtherBytes",
      ${hasMarker(markers, shown)} as "isShown"
    from record_jobs j where j.org = ${org} and j.id > ${place ?? FIRST}::uuid order by j.id limit 1`)
  if (!row) return undefined
  const { id, isOfImport, isShown } = row
  return { id, isOfImport, contains: isShown || (!isOfImport && (await isInFile(work, row))) }
}

/** Also locks the job, so that a waiting job cannot start before its file is deleted. */
const isRunning = async ({ tx, erasure: { org } }: ErasureBatchWork, id: string): Promise<boolean> =>
  (await tx.maybeValue<boolean>(sql`
    select status in ('queued', 'running') as running from record_jobs
    where org = ${org} and id = ${id} for update`)) ?? false

/**
 * Removes the results of rows that contain a marker: lines of the results of a batch. Results of other rows are kept.
 * @returns the number of removed results
 */
const removeResults = ({ tx, erasure: { org }, markers }: ErasureBatchWork, id: string): Promise<number> =>
  tx.value<number>(sql`
    with found as (
      select r.starts_at, count(*) filter (where l.is_found)::int as removed,
        string_agg(l.line || chr(10), '' order by l.nr) filter (where not l.is_found) as kept
      from record_job_results r cross join lateral (
        select s.line, s.nr, ${hasMarker(markers, { json: [sql`s.line`] })} as is_found
        from string_to_table(rtrim(r.results, chr(10)), chr(10)) with ordinality as s(line, nr)) as l
      where r.org = ${org} and r.job = ${id} and ${hasMarker(markers, { json: [sql`r.results`] })}
      group by r.starts_at),
    emptied as (
      delete from record_job_results r using found f
      where r.org = ${org} and r.job = ${id} and r.starts_at = f.starts_at and f.kept is null),
    changed as (
      update record_job_results r set results = f.kept from found f
      where r.org = ${org} and r.job = ${id} and r.starts_at = f.starts_at and f.kept is not null and f.removed > 0)
    select coalesce(sum(removed), 0)::int as removed from found`)

/** Waits for a running job, which would write the record again. */
async function batch(work: ErasureBatchWork, found: Found | undefined): Promise<ErasureBatch> {
  if (!found) return { isDone: true }
  const { tx, erasure } = work
  const { org } = erasure
  if (found.contains && (await isRunning(work, found.id)))
    return { isDone: false, place: erasure.place ?? undefined, waitsFor: 'imports' }
  const importRows = await removeResults(work, found.id)
  if (found.contains) await tx.run(sql`delete from record_jobs where org = ${org} and id = ${found.id}`)
  // Jobs of dashboard imports are counted with the import.
  const counts = found.isOfImport ? {} : { imports: found.contains ? 1 : 0, importRows }
  return { isDone: false, place: found.id, counts }
}

export const recordJobs: ErasureStep<Found | undefined> = { name: 'record-jobs', before, batch }
