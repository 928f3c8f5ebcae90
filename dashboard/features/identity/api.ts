// Requests for sign-up, sign-in, passwords, sessions, accepting invitations, and new organizations.
import { queryOptions } from '@tanstack/react-query'
import type { InvitationAcceptance, OpenedInvitation } from '../../../contract/invitations.ts'
import type { NewOrganization } from '../../../contract/organization.ts'
import type { Device, PasswordChange, PasswordReset, SignIn, SignUp } from '../../../contract/session.ts'
import { request } from '../../shared/api/client.ts'
import { hasCode } from '../../shared/api/errors.ts'

export type { Device, NewOrganization, OpenedInvitation }

/** Facts about the installation for the pages before sign-in. */
export const installationQuery = () =>
  queryOptions({
    queryKey: ['installation'],
    queryFn: () => request('GET /installation'),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const signUp = (body: SignUp) => request('POST /sign-up', { body })
export const signIn = (body: SignIn) => request('POST /sign-in', { body, needsNoSession: true })
export const signOut = () => request('POST /sign-out', { needsNoSession: true })
export const forgetPassword = (email: string) => request('POST /forgot-password', { body: { email } })
export const resetPassword = (body: PasswordReset) => request('POST /reset-password', { body })
export const confirmEmail = (token: string) => request('POST /verify-email', { body: { token } })
export const sendVerificationMail = () => request('POST /verification-mail')
export const changePassword = (body: PasswordChange) =>
  request('POST /change-password', { body, renewsSession: true })
export const renamePerson = (name: string) => request('PATCH /profile', { body: { name } })

/** @param image address of an uploaded picture; null removes the picture */
export const changeImage = (image: string | null) => request('PATCH /profile', { body: { image } })

export const devicesQuery = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: async () => (await request('GET /sessions')).sessions,
  })
export const endSession = (id: string) => request('DELETE /sessions/:id', { params: { id } })
export const endOtherSessions = () => request('DELETE /sessions')

/** null: the link is unknown, or a newer one was sent. */
async function openInvitation(token: string): Promise<OpenedInvitation | null> {
  try {
    return await request('GET /invitations/:token', { params: { token } })
  } catch (error) {
    if (hasCode(error, 'not_found')) return null
    throw error
  }
}

export const openedInvitationQuery = (token: string) =>
  queryOptions({ queryKey: ['invitation', token], queryFn: () => openInvitation(token) })

export const acceptInvitation = (token: string, body: InvitationAcceptance) =>
  request('POST /invitations/:token/accept', { params: { token }, body })

export const createOrganization = (body: NewOrganization) => request('POST /organizations', { body })
