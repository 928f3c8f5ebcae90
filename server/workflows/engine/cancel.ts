// Ending runs from outside.
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
 * Ends a run wherever it is; a step under way comes to nothing, unless it has asked another service already.
 * @returns false when it had ended before, or there is none
 */
export const cancelRun = async (tx: Db, org: number, run: string, options: Options = {}): Promise<boolean> =>
  (await cancelRuns(tx, org, [run], options)) > 0
