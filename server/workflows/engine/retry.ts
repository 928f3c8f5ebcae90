// Retries failed runs. A failed run is final, so the retry is a new run.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { newIdAt } from '../../id.ts'
import { copyRun, copySteps, copyValues } from './retry-store.ts'

/**
 * Runs a failed run again, from the step that failed, with the same version and input.
 * @param startedBy the user who asks
 * @returns the new run; undefined when the run has not failed, or there is none
 */
export async function retryRun(
  tx: Db,
  org: number,
  run: string,
  { startedBy, now = sql`now()` }: { startedBy: string | null; now?: Sql },
): Promise<{ runId: string } | undefined> {
  const clock = await tx.one<{ now: string }>(sql`select clock_timestamp() as now`)
  const retry = { org, run, id: newIdAt(new Date(clock.now)), startedBy, now }
  if ((await copyRun(tx, retry)) === 0) return undefined
  await copyValues(tx, retry)
  await copySteps(tx, retry)
  return { runId: retry.id }
}
