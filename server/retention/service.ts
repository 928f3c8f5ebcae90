// The retention period of unused records of an object: neither the record nor its related data changes during it.
import type { Retention } from '../../contract/retention.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { withinMs } from '../db/time-limit.ts'
import { type ModelContext, requireCurrent, withModel } from '../model/attributes/models.ts'
import { lockObject } from '../model/objects/store.ts'
import { countDue, findDays, type RetainedObject, saveDays } from './store.ts'

const COUNT_MS = 2000
const DAY_MS = 86_400_000

type RetentionContext = ModelContext & Pick<BaseContext, 'clock'>

/** Records that were last changed before this time can be due. */
export const dueBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

async function dueOf(
  { db, clock }: { db: Db } & Pick<BaseContext, 'clock'>,
  object: RetainedObject,
  days: number | null,
): Promise<number | null> {
  if (days === null) return null
  const counted = await withinMs(db, COUNT_MS, (tx) => countDue(tx, object, dueBefore(clock.now(), days)))
  return counted ?? null
}

/** @param days the number of days for the count, instead of the stored one @throws 404 not_found */
export const getRetention = (
  ctx: RetentionContext,
  org: number,
  objectRef: string,
  { days: asked }: { days?: number },
): Promise<Retention> =>
  withModel(ctx, org, objectRef, async (model) => {
    await requireCurrent(ctx.db, model)
    const days = await findDays(ctx.db, model)
    return { days, due: await dueOf(ctx, model, asked ?? days) }
  })

/** @throws 404 not_found */
export const setRetention = (
  ctx: RetentionContext,
  org: number,
  objectRef: string,
  { days }: { days: number | null },
): Promise<Retention> =>
  withModel(ctx, org, objectRef, async (model) => {
    await ctx.db.transaction(async (tx) => {
      await lockObject(tx, org, model.id)
      await requireCurrent(tx, model)
      await saveDays(tx, model, days)
    })
    return { days, due: await dueOf(ctx, model, days) }
  })
