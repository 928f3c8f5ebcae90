// What the dashboard's settings change of attributes beyond the API.
import { attributeDashboardRoutes } from '../../../contract/attribute-administration.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { orderAttributes } from './administration.ts'
import { setAttributeActive } from './service.ts'

export function addAttributeDashboardRoutes(app: App): void {
  addRoute(app, attributeDashboardRoutes.setAttributeActive, ({ ctx, caller, params, body }) =>
    setAttributeActive(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, attributeDashboardRoutes.orderAttributes, async ({ ctx, caller, params, body }) => ({
    attributes: await orderAttributes(ctx, caller.org, { ...params, ...body }),
  }))
}
