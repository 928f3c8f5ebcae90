// Starts, reads and cancels searches for duplicates in all records of an object.
import type { DuplicateSearch } from '../../../contract/duplicates.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import { type ModelContext, requireCurrent, withModel } from '../../model/attributes/models.ts'
import { requireActive } from '../../records/read/record-of.ts'
import {
  cancelSearch,
  countComparedRecords,
  findSearch,
  insertSearch,
  type SearchRef,
  selectOutdated,
} from '../store.ts'

export const SEARCH_FOR_DUPLICATES = defineJob<SearchRef>('duplicates.search')

/** @returns undefined if there was no search yet @throws 404 not_found */
export const lastSearch = (
  ctx: ModelContext,
  { org }: Pick<Caller, 'org'>,
  objectRef: string,
): Promise<DuplicateSearch | undefined> =>
  withModel(ctx, org, objectRef, async (model) => {
    const search = await findSearch(ctx.db, model)
    await requireCurrent(ctx.db, model)
    return search
  })

/** @returns the running search @throws 404 not_found, 409 object_inactive */
export const startSearch = (
  ctx: ModelContext & { queue: Queue },
  { org }: Pick<Caller, 'org'>,
  objectRef: string,
): Promise<DuplicateSearch> =>
  withModel(ctx, org, objectRef, (model) => {
    requireActive(model)
    return ctx.db.transaction(async (tx) => {
      await requireCurrent(tx, model)
      const { obj, id: objectId } = model
      const search = { id: newId(), total: await countComparedRecords(tx, model) }
      const started = await insertSearch(tx, model, search)
      if (started) await ctx.queue.enqueue(tx, SEARCH_FOR_DUPLICATES, { org, obj, objectId, id: search.id })
      const running = started ?? (await findSearch(tx, model))
      if (!running) throw new Error('The running search was not found')
      return running
    })
  })

/** @returns undefined if there was no search yet @throws 404 not_found */
export const endSearch = (
  ctx: ModelContext,
  { org }: Pick<Caller, 'org'>,
  objectRef: string,
): Promise<DuplicateSearch | undefined> =>
  withModel(ctx, org, objectRef, async (model) => {
    await requireCurrent(ctx.db, model)
    await cancelSearch(ctx.db, model)
    return findSearch(ctx.db, model)
  })

/** Repeats searches of objects that were searched before: at most once a day, and only after changes. */
export async function repeatSearches(
  ctx: ModelContext & { queue: Queue },
  signal?: AbortSignal,
): Promise<void> {
  for (const { org, objectId } of await selectOutdated(ctx.db)) {
    if (signal?.aborted) return
    await searchAgain(ctx, { org, objectId })
  }
}

/**
 * Starts a search without a request, for example after a new rule has made unique values equal. The dashboard lists the
 * groups that it finds, to be merged or dismissed.
 */
export async function searchAgain(
  ctx: ModelContext & { queue: Queue },
  { org, objectId }: { org: number; objectId: string },
): Promise<void> {
  try {
    await startSearch(ctx, { org }, objectId)
  } catch (error) {
    // The object was deleted or deactivated.
    if (!(error instanceof AppError)) throw error
  }
}
