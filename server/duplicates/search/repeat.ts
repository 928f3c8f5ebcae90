// Searches that start by themselves: in objects that were searched once, at most once a day and only after changes; and
// in objects in which a new rule has made unique values equal.
import type { ModelContext } from '../../attributes/models.ts'
import { AppError } from '../../errors.ts'
import type { Queue } from '../../jobs/queue.ts'
import { selectOutdated } from '../store.ts'
import { startSearch } from './service.ts'

export async function repeatSearches(
  ctx: ModelContext & { queue: Queue },
  signal?: AbortSignal,
): Promise<void> {
  for (const { org, objectId } of await selectOutdated(ctx.db)) {
    if (signal?.aborted) return
    await searchAgain(ctx, { org, objectId })
  }
}

/** The groups that it finds are listed in the dashboard, to be merged or dismissed. */
export async function searchAgain(
  ctx: ModelContext & { queue: Queue },
  { org, objectId }: { org: number; objectId: string },
): Promise<void> {
  try {
    await startSearch(ctx, { org }, objectId)
  } catch (error) {
    // Deleted or deactivated meanwhile.
    if (!(error instanceof AppError)) throw error
  }
}
