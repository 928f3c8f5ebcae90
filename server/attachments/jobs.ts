// Background work on what was attached once.
import type { Context } from '../context.ts'
import { removeFile } from '../files/settle.ts'
import { inBatches } from '../jobs/jobs.ts'
import { markUnused, selectUnusedFiles } from './unused-store.ts'

const BATCH = 200

/** Removes files of the dashboard that nothing has used for a day: detached, replaced, or never attached. */
export async function sweepUnused(ctx: Context, signal: AbortSignal): Promise<void> {
  await markUnused(ctx.db)
  await inBatches(signal, async () => {
    const files = await selectUnusedFiles(ctx.db, BATCH)
    for (const file of files) {
      signal.throwIfAborted()
      await removeFile(ctx, file)
    }
    return files.length
  })
}
