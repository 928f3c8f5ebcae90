// Finds the winners that the ids of merged records lead to, and the merges on the way. A row that returns from the
// trash is noted for each of these merges, so that undoing them, last first, returns it step by step.
import type { Db } from '../../db/pool.ts'
import { findSuccessors, type Successor } from '../read/successor.ts'
import { type MergeRow, selectMergesOf } from './merge-journal.ts'

export interface FollowedMerges {
  /** The winner of each merged record, if the winner still exists. */
  winners: ReadonlyMap<string, Successor>
  /** The merges that can be undone, in their order, each with its losers on the way to a winner. */
  merges: MergeRow[]
}

export async function followMerges(
  tx: Db,
  owner: { org: number; obj: number },
  ids: readonly string[],
): Promise<FollowedMerges> {
  const found = await findSuccessors(tx, owner, ids)
  const winners = new Map([...found].filter(([, { isLive }]) => isLive))
  const passed = new Set([...winners.values()].flatMap((one) => one.passed))
  const merges = passed.size > 0 ? await selectMergesOf(tx, owner, [...passed]) : []
  return {
    winners,
    merges: merges.map((one) => ({ ...one, losers: one.losers.filter((id) => passed.has(id)) })),
  }
}
