// Cancels runs.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cancelOpen, endWaitingSteps, forgetValues, wakeNext } from './end-store.ts'

interface Options {
  /** In words, for the run's `error`. */
  why?: string
  now?: Sql
}

/** As cancelRun, for several. @returns how many had not ended */
export async function cancelRuns(
  tx: Db,
  org: number,
  ids: readonly string[],
  { why = 'cancelled', now = sql`now()` }: Options = {},
): Promise<number> {
  const ended = await cancelOpen(tx, { org, ids }, { error: why, now })
  if (ended.length === 0) return 0
  const gone = { org, ids: ended.map(({ id }) => id) }
  await forgetValues(tx, gone)
  await endWaitingSteps(tx, gone)
  for (const one of ended) await wakeNext(tx, one, now)
  return ended.length
}

/**
 * Cancels a run at any step. A step in progress has no effect, unless it has already sent its request.
 * @returns false if the run has ended or does not exist
 */
export const cancelRun = async (tx: Db, org: number, run: string, options: Options = {}): Promise<boolean> =>
  (await cancelRuns(tx, org, [run], options)) > 0
