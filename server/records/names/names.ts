// Names of records of any objects: what references, activities and searches show instead of ids.
import type { RecordRef } from '../../../contract/activities.ts'
import type { RecordName } from '../../../contract/record-names.ts'
import { ifNotFound } from '../../base/errors.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { selectLiveObjects, selectNames } from './store.ts'

/** Names of the records that exist, in the order of the request, without duplicates. */
export async function recordNames(
  ctx: ModelContext,
  org: number,
  refs: readonly RecordRef[],
): Promise<RecordName[]> {
  const byObject = Map.groupBy(refs, ({ objectId }) => objectId.toLowerCase())
  const live = await selectLiveObjects(ctx.db, org, [...byObject.keys()])
  const names: RecordName[] = []
  for (const objectId of live) {
    const ids = new Set(byObject.get(objectId)?.map(({ recordId }) => recordId.toLowerCase()))
    const found = await withModel(ctx, org, objectId, (model) => selectNames(ctx.db, model, [...ids])).catch(
      ifNotFound([]),
    )
    const nameById = new Map(found.map(({ recordId, name }) => [recordId, name]))
    for (const recordId of ids) {
      const name = nameById.get(recordId)
      if (name !== undefined) names.push({ objectId, recordId, name })
    }
  }
  return names
}
