// Background work on files that are no longer used.
import { removeFile } from '../files/confirm-upload.ts'
import type { FileRow } from '../files/store.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { AttachmentContext } from './context.ts'
import { markUnused, putOff, selectUnusedFiles } from './unused-store.ts'

const BATCH = 200

/** Removes a file. A failure does not stop the others, and the next run tries again. @returns the error, if any */
async function tryRemoving(ctx: AttachmentContext, file: FileRow): Promise<unknown> {
  try {
    await removeFile(ctx, file)
    return undefined
  } catch (error) {
    ctx.log.error({ err: error, file: file.id, key: file.key }, 'an unused file could not be removed')
    await putOff(ctx.db, file)
    return error
  }
}

async function removeAll(
  ctx: AttachmentContext,
  files: readonly FileRow[],
  signal: AbortSignal,
): Promise<number> {
  const failures: unknown[] = []
  for (const file of files) {
    signal.throwIfAborted()
    const failure = await tryRemoving(ctx, file)
    if (failure !== undefined) failures.push(failure)
  }
  // The whole batch failed, so the store does not work: trying other files would only fill the log.
  if (failures.length === BATCH) throw failures[0]
  return files.length
}

/**
 * Removes files that are unused for a day: files of the dashboard that were purged from the trash, replaced or never
 * attached, and deleted files of programs.
 */
export async function sweepUnused(ctx: AttachmentContext, signal: AbortSignal, now: Date): Promise<void> {
  await markUnused(ctx.db)
  await inBatches(signal, async () => removeAll(ctx, await selectUnusedFiles(ctx.db, now, BATCH), signal))
}
