// What the API says of webhooks: everything else is done in the portal.
import { EVENT_TYPES, type EventType } from '../../contract/events.ts'
import type { Webhooks } from '../../contract/webhooks.ts'
import type { Caller, Context } from '../context.ts'
import { makePortalUrl } from '../portal/service.ts'

const eventTypes: Webhooks['eventTypes'] = Object.entries(EVENT_TYPES).map(([name, description]) => ({
  name: name as EventType,
  description,
}))

/** A new link each time: it dies with the key or the rights of whoever asked. */
export async function describeWebhooks(
  ctx: Pick<Context, 'db' | 'config'>,
  caller: Caller,
): Promise<Webhooks> {
  return { portalUrl: await makePortalUrl(ctx, caller), eventTypes }
}
