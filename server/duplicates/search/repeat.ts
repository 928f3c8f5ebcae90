// Objects that were searched once are searched again, at most once a day and only after changes.
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { selectOutdated } from '../store.ts'
import { startSearch } from './service.ts'

export async function repeatSearches(ctx: Context, signal?: AbortSignal): Promise<void> {
  for (const { org, objectId } of await selectOutdated(ctx.db)) {
    if (signal?.aborted) return
    try {
      await startSearch(ctx, { org }, objectId)
    } catch (error) {
      // Deleted or deactivated meanwhile.
      if (!(error instanceof AppError)) throw error
    }
  }
}
