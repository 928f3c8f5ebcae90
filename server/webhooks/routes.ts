// The specification's Webhooks table.
import { Webhooks } from '../../contract/webhooks.ts'
import type { App } from '../http/request.ts'
import { describeWebhooks } from './service.ts'

export function webhookRoutes(app: App): void {
  app.get(
    '/webhooks',
    { config: { scope: 'webhooks:manage' }, schema: { response: { 200: Webhooks } } },
    ({ ctx, caller }) => describeWebhooks(ctx, caller),
  )
}
