// Erases results of reports that contain the record. The runs remain in the history of the report, without results.
import sql from 'sql-template-tag'
import { readPackedResults } from '../../reports/store.ts'
import { createJsonMatcher, createMatcher } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

const BATCH = 10
const FIRST = '00000000-0000-0000-0000-000000000000'
const ERROR = 'The results contained a record that was erased. Run the report again.'

interface Found {
  last: string
  ids: string[]
}

async function before({ ctx, erasure: { org, place }, markers }: ErasureWork): Promise<Found | undefined> {
  const [matches, matchesJson] = [createMatcher(markers), createJsonMatcher(markers)]
  const rows = await ctx.db.many<{ id: string; results: Buffer | null; error: string | null }>(sql`
    select id, results, error from report_runs
    where org = ${org} and id > ${place ?? FIRST}::uuid order by id limit ${BATCH}`)
  const last = rows.at(-1)?.id
  if (last === undefined) return undefined
  const ids: string[] = []
  for (const { id, results, error } of rows)
    if (matches(error ?? '') || (results && matchesJson(await readPackedResults(results)))) ids.push(id)
  return { last, ids }
}

async function batch(
  { tx, erasure: { org } }: ErasureBatchWork,
  found: Found | undefined,
): Promise<ErasureBatch> {
  if (!found) return { isDone: true }
  const reportRuns = await tx.run(sql`
    update report_runs set results = null, result_count = 0, status = 'failed', error = ${ERROR}
    where org = ${org} and id = any(${found.ids}::uuid[]) and status <> 'running'`)
  return { isDone: false, place: found.last, counts: { reportRuns } }
}

export const reportRuns: ErasureStep<Found | undefined> = { name: 'report-runs', before, batch }
