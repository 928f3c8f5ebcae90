// Routes that preview a deletion.
import {
  attributeDeletionRoutes,
  objectDeletionRoutes,
  recordDeletionRoutes,
} from '../../contract/deletion.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { foreseeAttributeDeletion, foreseeObjectDeletion, foreseeRecordDeletion } from './service.ts'

export function addDeletionRoutes(app: App): void {
  addRoute(app, objectDeletionRoutes.foreseeObjectDeletion, ({ ctx, caller, params }) =>
    foreseeObjectDeletion(ctx, caller.org, params.objectId),
  )

  addRoute(app, attributeDeletionRoutes.foreseeAttributeDeletion, ({ ctx, caller, params }) =>
    foreseeAttributeDeletion(ctx, caller.org, params),
  )

  addRoute(app, recordDeletionRoutes.foreseeRecordDeletion, ({ ctx, caller, params, body }) =>
    foreseeRecordDeletion(ctx, caller, params.objectId, body),
  )
}
