// Requests for the settings of the organization.
import { queryOptions } from '@tanstack/react-query'
import type { OrganizationPatch } from '../../../../contract/organization.ts'
import { request } from '../../../shared/api/client.ts'

export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'organization'],
    queryFn: () => request('GET /organization', { org }),
  })

export const patchOrganization = (org: string, body: OrganizationPatch) =>
  request('PATCH /organization', { org, body })
