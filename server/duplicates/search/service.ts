// Searches for duplicates in all records of an object: started, looked at, cancelled.
import type { DuplicateSearch } from '../../../contract/duplicates.ts'
import { type ModelContext, requireCurrent, withModel } from '../../attributes/models.ts'
import type { Caller } from '../../caller.ts'
import { newId } from '../../id.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import { requireActive } from '../../records/service.ts'
import { cancelSearch, countRecords, findSearch, insertSearch, type SearchRef } from '../store.ts'

export const SEARCH_FOR_DUPLICATES = defineJob<SearchRef>('duplicates.search')

/** @returns undefined: there was none yet @throws 404 not_found */
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

/** @returns the one that runs @throws 404 not_found, 409 object_inactive */
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
      const search = { id: newId(), total: await countRecords(tx, model) }
      const started = await insertSearch(tx, model, search)
      if (started) await ctx.queue.enqueue(tx, SEARCH_FOR_DUPLICATES, { org, obj, objectId, id: search.id })
      const running = started ?? (await findSearch(tx, model))
      if (!running) throw new Error('The search that was running is gone')
      return running
    })
  })

/** @returns undefined: there was none yet @throws 404 not_found */
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
