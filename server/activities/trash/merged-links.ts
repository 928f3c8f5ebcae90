// Links of restored activities to records that were merged while the activity was in the trash. As in other activities,
// the links lead to the winners, and lead to the merged records again when the merge is undone.
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/pool.ts'
import { followMerges } from '../../records/write/followed-merges.ts'
import { type MergeRow, noteMergedChanges } from '../../records/write/merge-journal.ts'
import { listsOf, succeeded } from '../record-links.ts'
import type { ActivityRow, NamedRecord } from '../store.ts'
import { selectOwners } from './store.ts'

export interface MergedLinks {
  /** The existing records into which others were merged. */
  winners: NamedRecord[]
  /** The id of the winner, by merged record. */
  winnerOf: ReadonlyMap<string, string>
  /** The merges that can be undone, in order. */
  merges: MergeRow[]
}

/** @param missing records that do not exist */
export async function findMergedLinks(
  tx: Db,
  org: number,
  missing: readonly NamedRecord[],
): Promise<MergedLinks> {
  const winnerOf = new Map<string, string>()
  const winners: NamedRecord[] = []
  const merges: MergeRow[] = []
  const byObject = Map.groupBy(missing, ({ objectId }) => objectId)
  for (const { objectId, obj } of await selectOwners(tx, org, [...byObject.keys()])) {
    const ids = (byObject.get(objectId) ?? []).map(({ recordId }) => recordId)
    const followed = await followMerges(tx, { org, obj }, ids)
    for (const [loser, { id }] of followed.winners) {
      winnerOf.set(loser, id)
      winners.push({ objectId, recordId: id })
    }
    merges.push(...followed.merges)
  }
  return { winners, winnerOf, merges }
}

/** The activity with winners in place of merged records. The undo of the merges reverts this. */
export async function redirected(
  tx: Db,
  org: number,
  row: ActivityRow,
  { winnerOf, merges }: MergedLinks,
): Promise<ActivityRow> {
  let now = row
  for (const { id: merge, winner, losers } of merges) {
    const after = succeeded(now, new Set(losers), winner)
    const change = { id: row.id, before: listsOf(now), after: listsOf(after) }
    if (!isDeepStrictEqual(change.before, change.after))
      await noteMergedChanges(tx, { org, merge }, { kind: 'activity' }, [change])
    now = after
  }
  for (const [loser, winner] of winnerOf) now = succeeded(now, new Set([loser]), winner)
  return now
}
