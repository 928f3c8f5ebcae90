// Requests for API keys, which owners and admins create and delete.
import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../../../contract/api-keys.ts'
import { request } from '../../../shared/api/client.ts'

export type { ApiKey, CreatedApiKey, NewApiKey }

/** Newest first. */
export const apiKeysQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'api-keys'],
    queryFn: async () => (await request('GET /api-keys', { org })).apiKeys,
  })

export const createApiKey = (org: string, body: NewApiKey) => request('POST /api-keys', { org, body })

/** Resolves when every process refuses the key. */
export const deleteApiKey = (org: string, { id, confirmName }: { id: string; confirmName: string }) =>
  request('DELETE /api-keys/:id', { org, params: { id }, body: { confirmName } })
