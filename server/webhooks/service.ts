// Describes webhooks in the API. Everything else is done in the portal.
import { EVENT_TYPES, type EventType } from '../../contract/events.ts'
import type { Webhooks } from '../../contract/webhooks.ts'
import type { Caller } from '../base/caller.ts'
import type { WebhookContext } from './context.ts'
import { makePortalUrl } from './portal/service.ts'
import { openSvixPortal } from './svix/applications.ts'

const eventTypes: Webhooks['eventTypes'] = Object.entries(EVENT_TYPES).map(([name, description]) => ({
  name: name as EventType,
  description,
}))

/** Creates a new link each time. The link expires with the caller's key or rights. */
export async function describeWebhooks(
  ctx: Pick<WebhookContext, 'db' | 'cell' | 'config' | 'log' | 'svix'>,
  caller: Caller,
): Promise<Webhooks> {
  const { svix } = ctx
  const portalUrl = await (svix ? openSvixPortal(ctx, svix, caller) : makePortalUrl(ctx, caller))
  return { portalUrl, eventTypes }
}
