// Requests for the retention of an object's records.
import { queryOptions } from '@tanstack/react-query'
import type { Retention } from '../../../../contract/retention.ts'
import { request } from '../../../shared/api/client.ts'

export type { Retention }

export const retentionQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'retention'],
    queryFn: () => request('GET /objects/:objectId/retention', { org, params: { objectId: object } }),
    staleTime: 0,
  })

/** How many records would be due for deletion after `days`; null: counting took too long. */
export const dueQuery = (org: string, object: string, days: number) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'retention', days],
    queryFn: async () => {
      const params = { objectId: object }
      return (await request('GET /objects/:objectId/retention', { org, params, query: { days } })).due
    },
    staleTime: 0,
  })

export const setRetention = (org: string, object: string, days: number | null) =>
  request('PUT /objects/:objectId/retention', { org, params: { objectId: object }, body: { days } })
