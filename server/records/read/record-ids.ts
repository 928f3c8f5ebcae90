// Lists the ids of all records that match a filter, for "select all" in a table.
import { RECORD_SET_MAX } from '../../../contract/limits.ts'
import type { RecordIdList, RecordIdQuery } from '../../../contract/record-sets.ts'
import type { Caller } from '../../base/caller.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { selectIds } from '../engine/executor.ts'
import { readSearchFilters } from '../filters/input.ts'
import { searchSort } from '../rows/sorting.ts'

/** @throws 400 invalid_filter, invalid_parameter, 404 not_found */
export function listRecordIds(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { filter, filters, sort, limit = RECORD_SET_MAX }: RecordIdQuery,
): Promise<RecordIdList> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const asked = await readSearchFilters(ctx, caller, model, { filter, filters })
    const page = { filters: asked, sort: searchSort(model, sort, caller), limit: limit + 1 }
    const ids = await selectIds(ctx.db, model, page)
    return { ids: ids.slice(0, limit), isComplete: ids.length <= limit }
  })
}
