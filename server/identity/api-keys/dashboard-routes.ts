// API keys, which owners and admins make and delete.
import { apiKeyRoutes } from '../../../contract/api-keys.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { createOwnKey, deleteKey, type KeyLeases, listKeys } from './service.ts'

/** @param leases of this process's admission: when a deletion is answered, the key no longer works */
export function addApiKeyRoutes(app: App, leases: KeyLeases): void {
  addRoute(app, apiKeyRoutes.listApiKeys, async ({ ctx, caller }) => ({
    apiKeys: await listKeys(ctx, caller.org),
  }))

  addRoute(app, { ...apiKeyRoutes.createApiKey, answersSecrets: true }, ({ ctx, caller, signedIn, body }) =>
    createOwnKey(ctx, caller.org, { ...body, user: signedIn.user }),
  )

  addRoute(app, apiKeyRoutes.deleteApiKey, async ({ ctx, caller, params, body }) => {
    await deleteKey(ctx, caller.org, { id: params.id, confirmName: body.confirmName }, leases)
    return { id: params.id, deleted: true as const }
  })
}
