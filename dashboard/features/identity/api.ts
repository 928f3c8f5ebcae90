// Signing up and in, passwords, sessions, invitations that one accepts, and new organizations.
import { queryOptions } from '@tanstack/react-query'
import type {
  AcceptedInvitation,
  InvitationAcceptance,
  OpenedInvitation,
} from '../../../contract/invitations.ts'
import type { NewOrganization, Organization } from '../../../contract/organization.ts'
import type {
  Device,
  PasswordChange,
  PasswordReset,
  Session,
  SignIn,
  SignUp,
} from '../../../contract/session.ts'
import { request } from '../../shared/api/client.ts'
import { hasCode } from '../../shared/api/errors.ts'

export type { Device, NewOrganization, OpenedInvitation }

interface Installation {
  signUp: 'open' | 'closed'
  sendsMail: boolean
}

/** What the pages before the sign-in need to know. */
export const installationQuery = () =>
  queryOptions({
    queryKey: ['installation'],
    queryFn: () => request<Installation>('GET', '/installation'),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const signUp = (body: SignUp) => request<Session>('POST', '/sign-up', { body })
export const signIn = (body: SignIn) => request<Session>('POST', '/sign-in', { body, isEntrance: true })
export const signOut = () => request('POST', '/sign-out', { isEntrance: true })
export const forgetPassword = (email: string) => request('POST', '/forgot-password', { body: { email } })
export const resetPassword = (body: PasswordReset) => request('POST', '/reset-password', { body })
export const confirmEmail = (token: string) => request('POST', '/verify-email', { body: { token } })
export const sendVerificationMail = () => request('POST', '/verification-mail')
export const changePassword = (body: PasswordChange) => request('POST', '/change-password', { body })
export const renamePerson = (name: string) => request('PATCH', '/profile', { body: { name } })

/** @param image address of an uploaded picture; null: none */
export const changeImage = (image: string | null) => request('PATCH', '/profile', { body: { image } })

export const devicesQuery = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: async () => (await request<{ sessions: Device[] }>('GET', '/sessions')).sessions,
  })
export const endSession = (id: string) => request('DELETE', `/sessions/${id}`)
export const endOtherSessions = () => request<{ ended: number }>('DELETE', '/sessions')

const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`

/** null: there is no such link, or a newer one was sent. */
async function openInvitation(token: string): Promise<OpenedInvitation | null> {
  try {
    return await request<OpenedInvitation>('GET', invitationPath(token))
  } catch (error) {
    if (hasCode(error, 'not_found')) return null
    throw error
  }
}

export const openedInvitationQuery = (token: string) =>
  queryOptions({ queryKey: ['invitation', token], queryFn: () => openInvitation(token) })

export const acceptInvitation = (token: string, body: InvitationAcceptance) =>
  request<AcceptedInvitation>('POST', `${invitationPath(token)}/accept`, { body })

export const createOrganization = (body: NewOrganization) =>
  request<Organization>('POST', '/organizations', { body })
