// Cancels runs.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cancelOpen, endWaitingSteps, forgetValues, wakeBehind } from './end-store.ts'

interface Options {
  /** The text for the `error` of the run. */
  why?: string
  /** The user who cancelled it. */
  by?: string | null
  /** Runs with ids up to this one are not woken in place of the cancelled runs, because they are cancelled too. */
  upTo?: string
  now?: Sql
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** As cancelRun, for several runs. @returns how many had not ended */
export async function cancelRuns(
  tx: Db,
  org: number,
  ids: readonly string[],
  { why = 'cancelled', by = null, upTo = NO_ID, now = sql`now()` }: Options = {},
): Promise<number> {
  const ended = await cancelOpen(tx, { org, ids }, { error: why, by, now })
  if (ended.length === 0) return 0
  const cancelledRuns = { org, ids: ended.map(({ id }) => id) }
  await forgetValues(tx, cancelledRuns)
  await endWaitingSteps(tx, cancelledRuns)
  await wakeBehind(tx, ended, { after: upTo, now })
  return ended.length
}

/**
 * Cancels a run at any step. A step in progress has no effect, unless it has already sent its request.
 * @returns false if the run has ended or does not exist
 */
export const cancelRun = async (tx: Db, org: number, run: string, options: Options = {}): Promise<boolean> =>
  (await cancelRuns(tx, org, [run], options)) > 0
