// The reports that the user can choose from.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'

/** The query key of all data about reports. */
export const reportsKey = (org: string) => [org, 'reports'] as const

/** Sorted by name. */
export const reportsQuery = (org: string) =>
  queryOptions({
    queryKey: [...reportsKey(org), 'list'],
    queryFn: async ({ signal }) => (await request('GET /reports', { org, signal })).reports,
  })
