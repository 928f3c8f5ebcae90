// The reports that one can choose from.
import { queryOptions } from '@tanstack/react-query'
import type { Report } from '../../../contract/reports.ts'
import { organizationPath, request } from './client.ts'

/** Everything about reports is under this key. */
export const reportsKey = (org: string) => [org, 'reports'] as const

/** By name. */
export const reportsQuery = (org: string) =>
  queryOptions({
    queryKey: [...reportsKey(org), 'list'],
    queryFn: async ({ signal }) =>
      (await request<{ reports: Report[] }>('GET', `${organizationPath(org)}/reports`, { signal })).reports,
  })
