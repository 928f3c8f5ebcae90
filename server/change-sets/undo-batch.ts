// One batch of an undo job: the changes, their conflicts, and the position of the job are one transaction.
import type { Caller } from '../base/caller.ts'
import { deletableCommentsOf } from '../comments/service.ts'
import type { Db } from '../db/pool.ts'
import { deleteBatches, type NextChanges, nextChanges } from './changes-store.ts'
import type { ChangeSetContext } from './context.ts'
import { type OpenUndoJob, saveConflicts, saveProgress } from './job-store.ts'
import { undoUnit } from './undo-unit.ts'
import { NOTHING, type UndoneWave, undoWave, type WaveWork } from './undo-wave.ts'
import { wavesOf } from './waves.ts'

/**
 * The changes form a change set with the id of the job. They start no workflow, which would repeat the undone changes.
 */
const authorOf = (caller: Caller, { id }: Pick<OpenUndoJob, 'id'>): Caller => ({
  ...caller,
  changeSet: id,
  isQuiet: true,
})

async function undoWaves(work: WaveWork, { changes }: NextChanges): Promise<UndoneWave> {
  const sum: UndoneWave = { ...NOTHING, conflicts: [] }
  for (const wave of wavesOf(changes)) {
    const undone = await undoWave(work, wave)
    sum.restored += undone.restored
    sum.trashed += undone.trashed
    sum.returned += undone.returned
    sum.conflicts.push(...undone.conflicts)
  }
  return sum
}

/** @returns the number of processed changes: 0 if none is left */
export async function undoBatch(
  ctx: ChangeSetContext,
  tx: Db,
  job: OpenUndoJob & { caller: Caller },
  limit: number,
): Promise<number> {
  const source = { ...job.source, commentsOf: await deletableCommentsOf(tx, job.caller) }
  const next = await nextChanges(tx, source, limit)
  if (next.looked === 0) return 0
  const caller = authorOf(job.caller, job)
  const work = { ctx, tx, caller, ownObject: job.ownObject ?? undefined }
  const sum = next.unit ? await undoUnit(work, next.unit) : await undoWaves(work, next)
  await saveConflicts(tx, job, sum.conflicts)
  await deleteBatches(tx, source, next.batchIds)
  await saveProgress(tx, job, next, sum)
  return next.looked
}
