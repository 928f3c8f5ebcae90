// Background work on files: what nobody used, what organizations left behind, what came to the store by itself.
import type { Context } from '../context.ts'
import { inBatches } from '../jobs/jobs.ts'
import { beginRound } from './round.ts'
import { removeFile, settle } from './settle.ts'
import {
  deleteOrphanedUsage,
  type FileRow,
  markChecked,
  selectOrphans,
  selectUnchecked,
  selectUnused,
} from './store.ts'

const BATCH = 200
const HOUR_MS = 3600_000
/** A day after the address was handed out, which is good for two hours. */
const UNUSED_MS = 22 * HOUR_MS
const DRAFT_MS = 24 * HOUR_MS
/** So long after it was asked for, and from then on as often, the store is asked for a file: for as long as one can come. */
const CHECK_MS = 10 * 60_000

const before = ({ clock }: Context, ms: number): Date => new Date(clock.now().getTime() - ms)

/** Whatever came to the store at the last moment is taken in, the rest forgotten. */
async function removeUnused(ctx: Context, file: FileRow): Promise<void> {
  const settled = ctx.files.kind === 's3' ? await settle(ctx, ctx.files, file) : undefined
  if (settled?.state !== 'stored') await removeFile(ctx, file)
}

/**
 * Removes uploads that never came, what cut ones left, and the files of organizations that are gone.
 * @throws what the first file failed with, after the others
 */
export async function sweepFiles(ctx: Context, signal: AbortSignal): Promise<void> {
  const { db, files } = ctx
  const { failed, each, end } = beginRound(ctx, signal)
  await inBatches(signal, async () =>
    each(await selectOrphans(db, { failed, limit: BATCH }), (file) => removeFile(ctx, file)),
  )
  await deleteOrphanedUsage(db)
  const unused = { before: before(ctx, UNUSED_MS), failed, limit: BATCH }
  await inBatches(signal, async () => each(await selectUnused(db, unused), (file) => removeUnused(ctx, file)))
  if (files.kind === 'disk') await files.sweepDrafts(before(ctx, DRAFT_MS))
  end()
}

/**
 * Asks a store that takes uploads by itself for those that nobody has looked at yet.
 * @throws what the first file failed with, after the others
 */
export async function settleFiles(ctx: Context, signal: AbortSignal): Promise<void> {
  const { db, files } = ctx
  if (files.kind !== 's3') return
  const { failed, each, end } = beginRound(ctx, signal)
  const unchecked = {
    before: before(ctx, CHECK_MS),
    endedAfter: before(ctx, HOUR_MS),
    failed,
    limit: BATCH,
  }
  await inBatches(signal, async () =>
    each(await selectUnchecked(db, unchecked), async (file) => {
      await settle(ctx, files, file)
      await markChecked(db, file, ctx.clock.now())
    }),
  )
  end()
}
