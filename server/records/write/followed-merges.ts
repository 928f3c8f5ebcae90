// Where the ids of merged records led, and by which merges: what returns from the trash notes each of them, so that undoing
// them, the last one first, takes it back step by step.
import type { Db } from '../../db/pool.ts'
import { findSuccessors, type Successor } from '../read/successor.ts'
import { type MergeRow, selectMergesOf } from './merge-journal.ts'

export interface FollowedMerges {
  /** By merged record, of those whose winner is there. */
  winners: ReadonlyMap<string, Successor>
  /** That can be undone, in their order, each with those of its losers that led to a winner. */
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
