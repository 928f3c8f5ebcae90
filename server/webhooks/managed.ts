// Rejects requests for endpoints and deliveries where Svix manages them.
import { AppError } from '../base/errors.ts'
import { refuseUnstorable } from '../http/storable.ts'
import type { WebhookContext } from './context.ts'

/** Runs before every operation on endpoints or deliveries. @throws 409 managed_by_svix */
export function refuseIfManagedBySvix({ ctx }: { ctx: Pick<WebhookContext, 'svix'> }): void {
  if (ctx.svix)
    throw new AppError(
      'managed_by_svix',
      'Svix delivers the webhooks of this installation: use its portal, at the portalUrl of GET /webhooks',
    )
}

/** Options of all routes for endpoints and deliveries. Their responses can contain secrets and header values. */
export const managedHere = {
  answersSecrets: true,
  preHandler: [refuseUnstorable, async (request: { ctx: WebhookContext }) => refuseIfManagedBySvix(request)],
}
