// What an organization is called, and where and how it counts.
import { queryOptions } from '@tanstack/react-query'
import type { Organization, OrganizationPatch } from '../../../../contract/organization.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'

export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'organization'],
    queryFn: () => request<Organization>('GET', `${organizationPath(org)}/organization`),
  })

export const patchOrganization = (org: string, body: OrganizationPatch) =>
  request<Organization>('PATCH', `${organizationPath(org)}/organization`, { body })
