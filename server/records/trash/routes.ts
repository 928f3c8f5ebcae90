import { type RestoredRecord, type TrashList, trashRoutes } from '../../../contract/trash.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { sendJson } from '../../http/send-json.ts'
import { listTrash } from './listing.ts'
import { purgeRecord, purgeRecords, restoreManyRecords, restoreRecord } from './restore.ts'

export function addTrashRoutes(app: App): void {
  addRoute(app, trashRoutes.listTrash, async ({ ctx, caller, params, query }, reply) =>
    sendJson<TrashList>(reply, await listTrash(ctx, caller, params.objectId, query)),
  )

  addRoute(
    app,
    { ...trashRoutes.restoreRecord, wakes: 'events' },
    async ({ ctx, caller, params, query }, reply) => {
      const restoration = { recordId: params.recordId, dryRun: query.dryRun }
      return sendJson<RestoredRecord>(reply, await restoreRecord(ctx, caller, params.objectId, restoration))
    },
  )

  addRoute(
    app,
    { ...trashRoutes.bulkRestoreRecords, wakes: 'events' },
    ({ ctx, caller, params, query, body }) =>
      restoreManyRecords(ctx, caller, params.objectId, { ids: body.ids, dryRun: query.dryRun }),
  )

  addRoute(app, trashRoutes.purgeRecord, async ({ ctx, caller, params }) => ({
    id: await purgeRecord(ctx, caller, params.objectId, params.recordId),
    deleted: true as const,
  }))

  addRoute(app, trashRoutes.bulkPurgeRecords, async ({ ctx, caller, params, body }) => ({
    deleted: await purgeRecords(ctx, caller, params.objectId, body.ids),
  }))
}
