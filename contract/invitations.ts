// Invitations: a role in an organization, offered to an email address by a link that works once.
import { type Static, Type } from 'typebox'
import { Deleted, literals, StrictObject, Timestamp, Uuid } from './common.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { RoleSchema, UserRef } from './members.ts'
import type { DashboardRoutes } from './route.ts'
import { Session } from './session.ts'

const [pending, expired] = [Type.Literal('pending'), Type.Literal('expired')]
const [accepted, cancelled] = [Type.Literal('accepted'), Type.Literal('cancelled')]

export const Invitation = StrictObject({
  id: Uuid,
  email: Type.String(),
  role: RoleSchema,
  state: Type.Union([pending, expired]),
  invitedBy: UserRef,
  createdAt: Timestamp,
  sentAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>

/** Those that are neither accepted nor cancelled, newest first. */
export const InvitationList = StrictObject({ invitations: Type.Array(Invitation) })

export const NewInvitation = StrictObject({
  email: Type.String({ minLength: 1, maxLength: EMAIL_MAX }),
  role: RoleSchema,
})
export type NewInvitation = Static<typeof NewInvitation>

/** What making an invitation, or sending it again, answers. */
export const SentInvitation = StrictObject({
  ...Invitation.properties,
  inviteUrl: Type.String({
    description: 'The link of the email, shown only once, in case you want to pass it on yourself',
  }),
  mail: literals(['sent', 'kept', 'failed'], {
    description:
      'kept: this installation sends no email; failed: the email could not be sent. In both cases pass the link on yourself',
  }),
})
export type SentInvitation = Static<typeof SentInvitation>

/** What the invited person sees, who need not be signed in. */
export const OpenedInvitation = StrictObject({
  organization: Type.String({ description: 'Name of the organization' }),
  invitedBy: Type.String({ description: 'Name of the person who sent the invitation' }),
  email: Type.String(),
  role: RoleSchema,
  hasAccount: Type.Boolean({ description: 'true: sign in with this email to accept' }),
  state: Type.Union([pending, expired, accepted, cancelled]),
  expiresAt: Timestamp,
})
export type OpenedInvitation = Static<typeof OpenedInvitation>

/** Empty for who is signed in; otherwise what the new account needs. */
export const InvitationAcceptance = StrictObject({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_MAX })),
  password: Type.Optional(Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })),
})
export type InvitationAcceptance = Static<typeof InvitationAcceptance>

export const AcceptedInvitation = StrictObject({
  ...Session.properties,
  organization: Type.String({ description: 'Slug of the organization joined' }),
})
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const openedInvitationRoutes = {
  openInvitation: { at: 'GET /invitations/:token', response: { 200: OpenedInvitation } },
  acceptInvitation: {
    at: 'POST /invitations/:token/accept',
    body: InvitationAcceptance,
    response: { 200: AcceptedInvitation },
  },
} satisfies DashboardRoutes

export const invitationRoutes = {
  listInvitations: { at: 'GET /invitations', role: 'admin', response: { 200: InvitationList } },
  sendInvitation: {
    at: 'POST /invitations',
    role: 'admin',
    body: NewInvitation,
    response: { 201: SentInvitation },
  },
  resendInvitation: {
    at: 'POST /invitations/:id/resend',
    role: 'admin',
    response: { 200: SentInvitation },
  },
  cancelInvitation: { at: 'DELETE /invitations/:id', role: 'admin', response: { 200: Deleted } },
} satisfies DashboardRoutes
