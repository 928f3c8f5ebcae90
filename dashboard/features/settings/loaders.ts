// Loads the data that pages of the settings show first. Separate from the routes, which are in the first script.
import { duplicateRulesQuery } from '../../shared/api/duplicate-rules.ts'
import { membersQuery } from '../../shared/api/members.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { devicesQuery } from '../identity/api.ts'
import { apiKeysQuery } from './api/api-keys.ts'
import { attributesQuery } from './api/attributes.ts'
import { invitationsQuery } from './api/members.ts'
import { allObjectsQuery, objectDeletionQuery } from './api/object-administration.ts'
import { organizationQuery } from './api/organization.ts'
import { privacyRequestsQuery } from './api/privacy.ts'
import { retentionQuery } from './api/retention.ts'
import { changeSetsQuery } from './api/undo-jobs.ts'

export const loadObjects = (org: string) => queryClient.ensureQueryData(allObjectsQuery(org))

export async function loadObject(org: string, object: string): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(allObjectsQuery(org)),
    queryClient.ensureQueryData(attributesQuery(org, object)),
    queryClient.ensureQueryData(duplicateRulesQuery(org, object)),
  ])
  if (!(await mayAdminister(org))) return
  await Promise.all([
    queryClient.ensureQueryData(objectDeletionQuery(org, object)),
    queryClient.ensureQueryData(retentionQuery(org, object)),
  ])
}

export async function loadMembers(org: string): Promise<void> {
  await queryClient.ensureQueryData(membersQuery(org))
  if (await mayAdminister(org)) await queryClient.ensureQueryData(invitationsQuery(org))
}

export const loadOrganization = (org: string) => queryClient.ensureQueryData(organizationQuery(org))

export const loadProfile = () => queryClient.ensureQueryData(devicesQuery())

export async function loadApiKeys(org: string): Promise<void> {
  if (await mayAdminister(org)) await queryClient.ensureQueryData(apiKeysQuery(org))
}

export const loadUndo = (org: string) => queryClient.ensureInfiniteQueryData(changeSetsQuery(org))

export async function loadPrivacy(org: string): Promise<void> {
  if (!(await mayAdminister(org))) return
  await Promise.all([
    queryClient.ensureQueryData(allObjectsQuery(org)),
    queryClient.ensureQueryData(privacyRequestsQuery(org)),
  ])
}
