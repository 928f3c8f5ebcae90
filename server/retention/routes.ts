import { retentionRoutes } from '../../contract/retention.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { getRetention, setRetention } from './service.ts'

export function addRetentionRoutes(app: App): void {
  addRoute(app, retentionRoutes.getRetention, ({ ctx, caller, params, query }) =>
    getRetention(ctx, caller.org, params.objectId, query),
  )
  addRoute(app, retentionRoutes.setRetention, ({ ctx, caller, params, body }) =>
    setRetention(ctx, caller.org, params.objectId, body),
  )
}
