import { queryOptions } from '@tanstack/react-query'
import type { Report } from '../../contract/reports.ts'
import { organizationPath, request } from './client.ts'

export const reportsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'reports', 'list'],
    queryFn: async ({ signal }) =>
      (await request<{ reports: Report[] }>('GET', `${organizationPath(org)}/reports`, { signal })).reports,
  })
