// Creators of records other than members: workflows, and API keys, which only admins may list.
import { queryOptions } from '@tanstack/react-query'
import { mayAdminister } from '../routing/may-administer.ts'
import { request } from './client.ts'

interface Creator {
  id: string
  /** The name with the kind: `Import (API key)`. */
  label: string
}

export const creatorsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'creators'],
    queryFn: async (): Promise<Creator[]> => {
      const keys = (await mayAdminister(org)) ? (await request('GET /api-keys', { org })).apiKeys : []
      const { workflows } = await request('GET /workflows', { org })
      return [
        ...keys.map(({ id, name }) => ({ id, label: `${name} (API key)` })),
        ...workflows.map(({ id, name }) => ({ id, label: `${name} (workflow)` })),
      ]
    },
    staleTime: 60_000,
  })
