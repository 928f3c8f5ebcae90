// Routes of the invited person. The inviter uses the routes of the API.
import { openedInvitationRoutes } from '../../../contract/invitations.ts'
import { addRoute } from '../../http/add-route.ts'
import { clientOf } from '../../http/client.ts'
import type { App } from '../../http/request.ts'
import type { Sessions } from '../../http/session.ts'
import { acceptInvitation, openInvitation } from './acceptance.ts'

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
