// Groups of records: columns of a board, bars of a chart.
import type { GroupList, GroupQuery } from '../../contract/groups.ts'
import { GROUPS_MAX } from '../../contract/limits.ts'
import { STALE, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { filtersOfSearch } from './filter-input.ts'
import { conditionsOf } from './filters.ts'
import { groupingOf, inOrder } from './grouping.ts'
import { selectGroups } from './groups-store.ts'

/** @throws 400 validation_error, invalid_filter, 404 not_found */
export function groupRecords(
  ctx: Pick<Context, 'db' | 'models'>,
  caller: Caller,
  objectRef: string,
  { by, sumOf, filter, filters }: GroupQuery,
): Promise<GroupList> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const grouping = groupingOf(model, { by, sumOf }, { by: 'by', sumOf: 'sumOf' })
    const conditions = conditionsOf(filtersOfSearch({ ...(filters && { filters }), filter }, model, caller))
    const found = await selectGroups(ctx.db, model, { grouping, filters: conditions })
    if (found === STALE) return STALE
    return {
      groups: inOrder(grouping.by, found.slice(0, GROUPS_MAX)),
      isComplete: found.length <= GROUPS_MAX,
    }
  })
}
