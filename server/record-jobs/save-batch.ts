// Saves a batch of any type in its transaction: the result of each row, the counts and the position of the job.
import type { JobResult, JobResultStatus } from '../../contract/job-results.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ImportSettings } from '../imports/settings.ts'
import { insertResults, type JobPosition, type OpenJob, saveJobProgress } from './store.ts'

export interface JobOfCaller extends OpenJob {
  caller: Caller
  /** The settings of the import, if the job runs an import of the dashboard. */
  importSettings?: ImportSettings
}

function countsOf(results: readonly JobResult[]): Record<JobResultStatus, number> {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, failed: 0 }
  for (const { status } of results) counts[status]++
  return counts
}

const lineOf = ({ line, id, status, ...rest }: JobResult): string =>
  `${JSON.stringify({ ...(line !== undefined && { line }), id, status, ...rest })}\n`

export async function saveBatch(
  tx: Db,
  job: OpenJob,
  results: readonly JobResult[],
  position: JobPosition,
): Promise<void> {
  const text = results.map(lineOf).join('')
  if (text !== '') await insertResults(tx, job, { startsAt: job.readLines, results: text })
  await saveJobProgress(tx, job, countsOf(results), position)
}

/** Quotes within a text are escaped, so a text cannot match as the field. */
export const hasStatus = (line: string, status: JobResultStatus): boolean =>
  line.includes(`"status":"${status}"`)
