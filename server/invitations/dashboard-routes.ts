// Invitations: two addresses for who is invited, the others for who invites.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import {
  AcceptedInvitation,
  InvitationAcceptance,
  InvitationList,
  NewInvitation,
  OpenedInvitation,
  SentInvitation,
} from '../../contract/invitations.ts'
import { clientOf } from '../http/client.ts'
import type { App } from '../http/request.ts'
import type { Sessions } from '../http/session.ts'
import { acceptInvitation, openInvitation } from './acceptance.ts'
import { cancel, invite, resend } from './service.ts'
import { selectInvitations } from './store.ts'

const TokenParams = Type.Object({ token: Type.String() })
const InvitationParams = Type.Object({ id: Type.String() })

/** Routes for people who need not be signed in. */
export function openedInvitationRoutes(app: App, sessions: Sessions): void {
  app.get(
    '/invitations/:token',
    { schema: { params: TokenParams, response: { 200: OpenedInvitation } } },
    ({ ctx, params }) => openInvitation(ctx, params.token),
  )

  app.post(
    '/invitations/:token/accept',
    { schema: { params: TokenParams, body: InvitationAcceptance, response: { 200: AcceptedInvitation } } },
    async (request, reply) => {
      const { ctx, params, body, headers } = request
      const { signedIn, cookies: prolonged } = await sessions.find(headers)
      const acceptance = { token: params.token, signedIn, body }
      const { answer, cookies } = await acceptInvitation(ctx, clientOf(request), acceptance)
      const sent = cookies.length > 0 ? cookies : prolonged
      if (sent.length > 0) reply.header('set-cookie', sent)
      return answer
    },
  )
}

/** Routes of one organization. */
export function invitationRoutes(app: App): void {
  app.get(
    '/invitations',
    { config: { role: 'admin' }, schema: { response: { 200: InvitationList } } },
    async ({ ctx, caller }) => ({ invitations: await selectInvitations(ctx.db, caller.orgId) }),
  )

  app.post(
    '/invitations',
    { config: { role: 'admin' }, schema: { body: NewInvitation, response: { 201: SentInvitation } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return invite(ctx, caller, body)
    },
  )

  app.post(
    '/invitations/:id/resend',
    { config: { role: 'admin' }, schema: { params: InvitationParams, response: { 200: SentInvitation } } },
    ({ ctx, caller, params }) => resend(ctx, caller, params.id),
  )

  app.delete(
    '/invitations/:id',
    { config: { role: 'admin' }, schema: { params: InvitationParams, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => {
      await cancel(ctx, caller, params.id)
      return { id: params.id, deleted: true as const }
    },
  )
}
