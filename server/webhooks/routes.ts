// The endpoints of section "Webhooks" of the specification.
import { webhookRoutes } from '../../contract/webhook-routes.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { describeWebhooks } from './service.ts'

export function addWebhookRoutes(app: App): void {
  addRoute(app, { ...webhookRoutes.getWebhooks, answersSecrets: true }, ({ ctx, caller }) =>
    describeWebhooks(ctx, caller),
  )
}
