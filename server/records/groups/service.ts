// Groups of records: columns of a board, bars of a chart.
import type { Group, GroupList, GroupQuery } from '../../../contract/groups.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type ModelContext, type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { countedGroups } from '../engine/counted-groups.ts'
import { matchingRecords } from '../engine/matching-records.ts'
import { isIndexed } from '../engine/statistics.ts'
import { readSearchFilters } from '../filters/input.ts'
import type { RecordFilter } from '../filters/to-sql.ts'
import { type Grouping, groupingOf, sortedGroups } from './grouping.ts'
import { selectCountedGroups, selectRecordGroups } from './store.ts'

/** Counts of all records come from counters. Sums and filtered groups read the records. */
async function findGroups(
  db: Db,
  model: ObjectModel,
  { grouping, filters }: { grouping: Grouping; filters: readonly RecordFilter[] },
): Promise<Group[]> {
  const isCount = filters.length === 0 && grouping.sumOf === undefined
  const counted = isCount && isIndexed(model) ? countedGroups(model, grouping.by) : undefined
  if (counted) return selectCountedGroups(db, model, grouping.by, counted)
  const records = await matchingRecords(db, model, filters)
  return selectRecordGroups(db, model, { grouping, records })
}

/** @throws 400 validation_error, invalid_filter, 404 not_found */
export function groupRecords(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { by, sumOf, filter, filters }: GroupQuery,
): Promise<GroupList> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const grouping = groupingOf(model, { by, sumOf }, { by: 'by', sumOf: 'sumOf' }, caller)
    const asked = await readSearchFilters(ctx, caller, model, { filter, filters })
    const found = await findGroups(ctx.db, model, { grouping, filters: asked })
    return {
      groups: sortedGroups(grouping.by, found.slice(0, GROUPS_MAX)),
      isComplete: found.length <= GROUPS_MAX,
    }
  })
}
