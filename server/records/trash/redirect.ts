// References of restored records to records that were merged after the deletion. They become references to the winners,
// and return to the merged records when the merge is undone.
import type { Db } from '../../db/pool.ts'
import { followMerges } from '../write/followed-merges.ts'
import { type MergeRow, noteMergedChanges } from '../write/merge-journal.ts'
import type { RecordToRestore, ReferenceTarget } from './plan.ts'

export type OwnTarget = ReferenceTarget & { record: RecordToRestore }

interface Noted {
  merge: string
  attr: number
  id: string
  before: string[]
  after: string[]
}

/** The changes that each of the merges would have made to the reference. */
function notesOf(
  { attr, record }: OwnTarget,
  targets: readonly string[],
  merges: readonly MergeRow[],
): Noted[] {
  let before = [...targets]
  return merges.flatMap(({ id: merge, winner, losers }) => {
    const after = [...new Set(before.map((target) => (losers.includes(target) ? winner : target)))]
    const note = { merge, attr, id: record.id, before, after }
    if (!before.some((target) => losers.includes(target))) return []
    before = after
    return [note]
  })
}

async function noteRedirects(
  tx: Db,
  org: number,
  { moving, merges }: { moving: readonly OwnTarget[]; merges: readonly MergeRow[] },
): Promise<void> {
  const places = new Map(moving.map((one) => [`${one.record.id} ${one.attr}`, one]))
  const notes = [...places.values()].flatMap((one) => {
    const all = one.record.targets().filter(({ attr }) => attr === one.attr)
    return notesOf(
      one,
      all.map(({ target }) => target),
      merges,
    )
  })
  for (const [merge, ofMerge] of Map.groupBy(notes, (note) => note.merge))
    for (const [attr, changes] of Map.groupBy(ofMerge, (note) => note.attr))
      await noteMergedChanges(
        tx,
        { org, merge },
        { kind: 'reference', attr },
        changes.map(({ id, before, after }) => ({ id, before, after })),
      )
}

/** @param targets references of the records that are restored */
export async function redirectMerged(tx: Db, org: number, targets: readonly OwnTarget[]): Promise<void> {
  for (const [obj, some] of Map.groupBy(targets, ({ targetObj }) => targetObj)) {
    const ids = some.map(({ target }) => target)
    const { winners, merges } = await followMerges(tx, { org, obj }, ids)
    const moving = some.filter(({ target }) => winners.has(target))
    if (moving.length === 0) continue
    await noteRedirects(tx, org, { moving, merges })
    for (const one of moving) one.record.redirect(one, winners.get(one.target)?.id ?? one.target)
  }
}
