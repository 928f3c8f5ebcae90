// The reports that one can choose from.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'

/** Everything about reports is under this key. */
export const reportsKey = (org: string) => [org, 'reports'] as const

/** By name. */
export const reportsQuery = (org: string) =>
  queryOptions({
    queryKey: [...reportsKey(org), 'list'],
    queryFn: async ({ signal }) => (await request('GET /reports', { org, signal })).reports,
  })
