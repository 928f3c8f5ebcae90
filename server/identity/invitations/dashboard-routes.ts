// Invitations: two addresses for who is invited, the others for who invites.
import { invitationRoutes, openedInvitationRoutes } from '../../../contract/invitations.ts'
import { addRoute } from '../../http/add-route.ts'
import { clientOf } from '../../http/client.ts'
import type { App } from '../../http/request.ts'
import type { Sessions } from '../../http/session.ts'
import { announceMembers } from '../members/member-changes.ts'
import { acceptInvitation, openInvitation } from './acceptance.ts'
import { cancelOpenInvitation, invite, resend } from './service.ts'
import { selectInvitations } from './store.ts'

/** Routes for people who need not be signed in. */
export function addOpenedInvitationRoutes(app: App, sessions: Sessions): void {
  addRoute(app, openedInvitationRoutes.openInvitation, ({ ctx, params }) => openInvitation(ctx, params.token))

  addRoute(app, openedInvitationRoutes.acceptInvitation, async (request, reply) => {
    const { ctx, params, body } = request
    const { signedIn, cookies: prolonged } = await sessions.find(request)
    const acceptance = { token: params.token, signedIn, body }
    const { answer, cookies } = await acceptInvitation(ctx, clientOf(request), acceptance)
    const sent = cookies.length > 0 ? cookies : prolonged
    if (sent.length > 0) reply.header('set-cookie', sent)
    return answer
  })
}

/** Routes of one organization. */
export function addInvitationRoutes(app: App): void {
  addRoute(app, invitationRoutes.listInvitations, async ({ ctx, caller }) => ({
    invitations: await selectInvitations(ctx.directory, caller.orgId),
  }))

  addRoute(app, invitationRoutes.sendInvitation, async ({ ctx, caller, body }) => {
    const sent = await invite(ctx, caller, body)
    await announceMembers(ctx, caller, sent.id)
    return sent
  })

  addRoute(app, invitationRoutes.resendInvitation, async ({ ctx, caller, params }) => {
    const sent = await resend(ctx, caller, params.id)
    await announceMembers(ctx, caller, sent.id)
    return sent
  })

  addRoute(app, invitationRoutes.cancelInvitation, async ({ ctx, caller, params }) => {
    await cancelOpenInvitation(ctx, caller, params.id)
    await announceMembers(ctx, caller, params.id)
    return { id: params.id, deleted: true as const }
  })
}
