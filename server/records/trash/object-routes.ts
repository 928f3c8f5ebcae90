// Routes of the trash of objects. Restoring an object also restores its records.
import { objectTrashRoutes } from '../../../contract/object-trash.ts'
import { shownUser } from '../../base/caller.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App, BeforeTransaction } from '../../http/request.ts'
import { finishDeletion, purgeTrashedObject, restoreObject } from '../../model/objects/trash.ts'
import { selectTrashedObjects } from '../../model/objects/trash-store.ts'
import { restoreRecordsNow } from './object-records.ts'

const finishFirst: BeforeTransaction = async ({ ctx, caller, params }, work) => {
  await finishDeletion(ctx, caller.org, (params as { objectId: string }).objectId)
  return work()
}

export function addObjectTrashRoutes(app: App): void {
  addRoute(app, objectTrashRoutes.listTrashedObjects, async ({ ctx, caller, query }) => {
    const all = await selectTrashedObjects(ctx.db, caller.org)
    const shown = all.map((one) => ({ ...one, deletedBy: shownUser(caller, one.deletedBy) }))
    return pageOfWhole('objects', shown, query, ['trashed objects', caller.org])
  })

  addRoute(
    app,
    { ...objectTrashRoutes.restoreObject, wakes: 'events', beforeTransaction: finishFirst },
    async ({ ctx, caller, params, body }) => {
      const object = await restoreObject(ctx, caller, { ...params, slug: body.slug })
      const { obj, id: objectId } = object
      return { object, records: await restoreRecordsNow(ctx, { ...caller, obj, objectId }) }
    },
  )

  addRoute(app, objectTrashRoutes.purgeObject, async ({ ctx, caller, params }) => ({
    id: await purgeTrashedObject(ctx, caller.org, params.objectId),
    deleted: true as const,
  }))
}
