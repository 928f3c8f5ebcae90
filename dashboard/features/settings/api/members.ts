// The roles of members, and who is invited to be one.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Invitation, NewInvitation, SentInvitation } from '../../../../contract/invitations.ts'
import type { Member } from '../../../../contract/members.ts'
import type { Role } from '../../../../contract/roles.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { apiKeysQuery } from './api-keys.ts'

export type { Invitation, Member, SentInvitation }

const memberPath = (org: string, id: string) => `${organizationPath(org)}/members/${id}`

interface Revocation {
  id: string
  /** Whether the API keys that the member made are deleted too. */
  revokeKeys?: boolean
}

export const changeRole = (org: string, { id, ...change }: Revocation & { role: Role }) =>
  request<Member>('PATCH', memberPath(org, id), { body: change })
export const removeMember = (org: string, { id, revokeKeys = false }: Revocation) =>
  request('DELETE', `${memberPath(org, id)}?revokeKeys=${revokeKeys}`)

/** What the organization's lists of invitations and API keys show after a member lost rights. */
export const refreshMemberAccess = (client: QueryClient, org: string) =>
  Promise.all(
    [membersQuery(org).queryKey, invitationsQuery(org).queryKey, apiKeysQuery(org).queryKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

const invitationsPath = (org: string) => `${organizationPath(org)}/invitations`

/** Those that are neither accepted nor cancelled. For owners and admins. */
export const invitationsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'invitations'],
    queryFn: async () =>
      (await request<{ invitations: Invitation[] }>('GET', invitationsPath(org))).invitations,
  })

export const invite = (org: string, body: NewInvitation) =>
  request<SentInvitation>('POST', invitationsPath(org), { body })
/** A new link; the one before is dead. */
export const resendInvitation = (org: string, id: string) =>
  request<SentInvitation>('POST', `${invitationsPath(org)}/${id}/resend`)
export const cancelInvitation = (org: string, id: string) =>
  request('DELETE', `${invitationsPath(org)}/${id}`)
