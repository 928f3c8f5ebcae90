// API keys, which owners and admins make and delete.
import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../../../contract/api-keys.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'

export type { ApiKey, CreatedApiKey, NewApiKey }

const keysPath = (org: string) => `${organizationPath(org)}/api-keys`

/** Newest first. */
export const apiKeysQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'api-keys'],
    queryFn: async () => (await request<{ apiKeys: ApiKey[] }>('GET', keysPath(org))).apiKeys,
  })

export const createApiKey = (org: string, body: NewApiKey) =>
  request<CreatedApiKey>('POST', keysPath(org), { body })

/** Answers when the key is dead everywhere. */
export const deleteApiKey = (org: string, { id, confirmName }: { id: string; confirmName: string }) =>
  request('DELETE', `${keysPath(org)}/${id}`, { body: { confirmName } })
