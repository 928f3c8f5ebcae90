// The current model of an object, for work without a statement that checks its version.
import { type ModelContext, type ObjectModel, requireCurrent, withModel } from '../model/attributes/models.ts'

/** @throws 404 not_found, and what `work` throws */
export const withCurrentModel = <Result>(
  ctx: ModelContext,
  org: number,
  objectRef: string,
  work: (model: ObjectModel) => Result | Promise<Result>,
): Promise<Result> =>
  withModel(ctx, org, objectRef, async (model) => {
    await requireCurrent(ctx.db, model)
    return work(model)
  })
