// What deleting something would take with it: asked before the dashboard asks "delete?".
import { deletionRoutes } from '../../contract/deletion.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { foreseeAttributeDeletion, foreseeObjectDeletion, foreseeRecordDeletion } from './service.ts'

export function addDeletionDashboardRoutes(app: App): void {
  addRoute(app, deletionRoutes.foreseeObjectDeletion, ({ ctx, caller, params }) =>
    foreseeObjectDeletion(ctx, caller.org, params.objectId),
  )

  addRoute(app, deletionRoutes.foreseeAttributeDeletion, ({ ctx, caller, params }) =>
    foreseeAttributeDeletion(ctx, caller.org, params),
  )

  addRoute(app, deletionRoutes.foreseeRecordDeletion, ({ ctx, caller, params, body }) =>
    foreseeRecordDeletion(ctx, caller, params.objectId, body),
  )
}
