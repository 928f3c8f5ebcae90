// Routes that undo changes of records.
import { type UndoneBatch, type UndoneChange, undoRoutes } from '../../../contract/undo.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { sendJson } from '../../http/send-json.ts'
import { undoChange } from './service.ts'
import { undoLastBatch } from './set-service.ts'

export function addUndoRoutes(app: App): void {
  addRoute(
    app,
    { ...undoRoutes.undoChange, wakes: 'events' },
    async ({ ctx, caller, params, query, body }, reply) => {
      const undo = { recordId: params.recordId, body, dryRun: query.dryRun }
      return sendJson<UndoneChange>(reply, await undoChange(ctx, caller, params.objectId, undo))
    },
  )

  addRoute(app, { ...undoRoutes.undoChangeSet, wakes: 'events' }, async ({ ctx, caller, params }, reply) => {
    const { objectId: objectRef, changeSetId } = params
    const undone = await undoLastBatch(ctx, caller, { objectRef, changeSetId })
    return sendJson<UndoneBatch>(reply, JSON.stringify(undone))
  })
}
