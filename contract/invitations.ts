// Invitations offer a role in an organization to an email address. The link works once.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, literals, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { RoleSchema, UserRef } from './members.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'
import { Session } from './session.ts'

const [pending, expired] = [Type.Literal('pending'), Type.Literal('expired')]
const [accepted, cancelled] = [Type.Literal('accepted'), Type.Literal('cancelled')]

export const Invitation = StrictObject(
  {
    id: Uuid,
    email: Type.String(),
    role: RoleSchema,
    state: Type.Union([pending, expired]),
    invitedBy: UserRef,
    createdAt: Timestamp,
    sentAt: Timestamp,
    expiresAt: Timestamp,
  },
  { description: 'An invitation for an email address to join the organization' },
)
export type Invitation = Static<typeof Invitation>

/** Invitations that are neither accepted nor cancelled, newest first. */
export const InvitationList = listOf('invitations', Invitation)

export const NewInvitation = StrictObject({
  email: Type.String({ minLength: 1, maxLength: EMAIL_MAX }),
  role: RoleSchema,
})
export type NewInvitation = Static<typeof NewInvitation>

/** The response when an invitation is created or sent again. */
export const SentInvitation = StrictObject({
  ...Invitation.properties,
  inviteUrl: Type.String({
    description: 'The link in the email, in case you want to share it yourself. It is returned only once',
  }),
  mail: literals(['sent', 'kept', 'failed'], {
    description:
      'kept: this installation sends no email; failed: the email could not be sent. In both cases share the link yourself',
  }),
})
export type SentInvitation = Static<typeof SentInvitation>

/** The invitation as the invited person sees it, also without sign-in. */
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

/** Empty if the user is signed in; otherwise the name and password of the new account. */
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

/** Schemas by their names in the API document. */
export const invitationSchemas = { Invitation, InvitationList, NewInvitation, SentInvitation }

const exampleInvitation = {
  id: exampleId(26),
  email: 'grace@example.com',
  role: 'member',
  state: 'pending',
  invitedBy: exampleUser,
  createdAt: exampleTimes.createdAt,
  sentAt: exampleTimes.createdAt,
  expiresAt: '2026-11-27T10:00:00.000Z',
}

const exampleSent = {
  ...exampleInvitation,
  inviteUrl: 'https://crm.example.com/invitation/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm',
  mail: 'sent',
}

export const invitationRoutes = {
  listInvitations: {
    at: 'GET /invitations',
    scope: 'members:manage',
    summary: 'List invitations',
    description: 'Invitations that are neither accepted nor cancelled, newest first.',
    query: WholeListQuery,
    response: { 200: InvitationList },
    example: { response: { invitations: [exampleInvitation], pagination: exampleWhole } },
  },
  sendInvitation: {
    at: 'POST /invitations',
    scope: 'members:manage',
    summary: 'Invite an email address',
    description:
      'The link in the email works once and for 7 days. Only this response contains it, as `inviteUrl`. Keys cannot invite owners; keys with scopes cannot invite admins.',
    body: NewInvitation,
    response: { 201: SentInvitation },
    errors: ['insufficient_role', 'email_unverified', 'already_member', 'already_invited'],
    example: { body: { email: exampleInvitation.email, role: 'member' }, response: exampleSent },
  },
  resendInvitation: {
    at: 'POST /invitations/:invitationId/resend',
    scope: 'members:manage',
    summary: 'Send an invitation again',
    description: 'Sends a new link, which is valid for 7 days. The previous link stops working.',
    response: { 200: SentInvitation },
    errors: ['insufficient_role', 'email_unverified'],
    example: { response: exampleSent },
  },
  cancelInvitation: {
    at: 'DELETE /invitations/:invitationId',
    scope: 'members:manage',
    summary: 'Cancel an invitation',
    description: 'The link of the invitation stops working.',
    response: { 200: Deleted },
    errors: ['insufficient_role'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
