// Runs work with the current model of an object, for work whose statements do not check the version of the model.
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
