// Requests for members, their roles, and invitations.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Invitation, NewInvitation, SentInvitation } from '../../../../contract/invitations.ts'
import type { Member } from '../../../../contract/members.ts'
import type { Role } from '../../../../contract/roles.ts'
import { request } from '../../../shared/api/client.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { apiKeysQuery } from './api-keys.ts'

export type { Invitation, Member, SentInvitation }

interface Revocation {
  id: string
  /** Whether to delete the API keys that the member created. */
  revokeKeys?: boolean
}

export const changeRole = (org: string, { id, ...change }: Revocation & { role: Role }) =>
  request('PATCH /members/:memberId', { org, params: { memberId: id }, body: change })
export const removeMember = (org: string, { id, revokeKeys = false }: Revocation) =>
  request('DELETE /members/:memberId', { org, params: { memberId: id }, query: { revokeKeys } })

/** Reloads members, invitations and API keys after a member has lost rights. */
export const refreshMemberAccess = (client: QueryClient, org: string) =>
  Promise.all(
    [membersQuery(org).queryKey, invitationsQuery(org).queryKey, apiKeysQuery(org).queryKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** Invitations that are neither accepted nor cancelled. For owners and admins. */
export const invitationsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'invitations'],
    queryFn: async () => (await request('GET /invitations', { org })).invitations,
  })

export const invite = (org: string, body: NewInvitation) => request('POST /invitations', { org, body })
/** Sends a new link. The previous link becomes invalid. */
export const resendInvitation = (org: string, id: string) =>
  request('POST /invitations/:invitationId/resend', { org, params: { invitationId: id } })
export const cancelInvitation = (org: string, id: string) =>
  request('DELETE /invitations/:invitationId', { org, params: { invitationId: id } })
