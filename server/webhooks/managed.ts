// Whether endpoints and deliveries are managed here at all.
import { AppError } from '../base/errors.ts'
import { refuseUnstorable } from '../http/storable.ts'
import type { WebhookContext } from './context.ts'

/** Before every operation on endpoints or deliveries. @throws 409 managed_by_svix where Svix has them */
export function refuseIfManagedBySvix({ ctx }: { ctx: Pick<WebhookContext, 'svix'> }): void {
  if (ctx.svix)
    throw new AppError(
      'managed_by_svix',
      'Svix delivers the webhooks of this installation: use its portal, at the portalUrl of GET /webhooks',
    )
}

/** What every route about endpoints or deliveries begins with; endpoints have their own secrets and headers. */
export const managedHere = {
  answersSecrets: true,
  preHandler: [refuseUnstorable, async (request: { ctx: WebhookContext }) => refuseIfManagedBySvix(request)],
}
