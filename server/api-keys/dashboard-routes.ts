// API keys, which owners and admins make and delete.
import { Type } from 'typebox'
import { ApiKeyDeletion, ApiKeyList, CreatedApiKey, NewApiKey } from '../../contract/api-keys.ts'
import { Deleted } from '../../contract/common.ts'
import type { App } from '../http/request.ts'
import { createKey, deleteKey, type KeyLeases, listKeys } from './service.ts'

const KeyParams = Type.Object({ id: Type.String() })

/** @param leases of this process's admission: a deleted key is dead when the answer comes */
export function apiKeyRoutes(app: App, leases: KeyLeases): void {
  app.get(
    '/api-keys',
    { config: { role: 'admin' }, schema: { response: { 200: ApiKeyList } } },
    async ({ ctx, caller }) => ({ apiKeys: await listKeys(ctx, caller.org) }),
  )

  app.post(
    '/api-keys',
    { config: { role: 'admin' }, schema: { body: NewApiKey, response: { 201: CreatedApiKey } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return createKey(ctx, caller.org, { ...body, createdBy: caller.userId })
    },
  )

  app.delete(
    '/api-keys/:id',
    {
      config: { role: 'admin' },
      schema: { params: KeyParams, body: ApiKeyDeletion, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params, body }) => {
      await deleteKey(ctx, caller.org, { id: params.id, confirmName: body.confirmName }, leases)
      return { id: params.id, deleted: true as const }
    },
  )
}
