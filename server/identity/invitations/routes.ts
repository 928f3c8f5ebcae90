// Invitations, for inviters.
import { invitationRoutes } from '../../../contract/invitations.ts'
import { addRoute } from '../../http/add-route.ts'
import { OF_DIRECTORY } from '../../http/of-directory.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { announceMembers } from '../members/member-changes.ts'
import { cancelOpenInvitation, invite, resend } from './service.ts'
import { selectInvitations } from './store.ts'

export function addInvitationRoutes(app: App): void {
  addRoute(app, invitationRoutes.listInvitations, async ({ ctx, caller, query }) => {
    const all = await selectInvitations(ctx.directory, caller.orgId)
    return pageOfWhole('invitations', all, query, ['invitations', caller.org])
  })

  addRoute(
    app,
    { ...invitationRoutes.sendInvitation, ...OF_DIRECTORY, answersSecrets: true },
    async ({ ctx, caller, body }) => {
      const sent = await invite(ctx, caller, body)
      await announceMembers(ctx, caller, sent.id)
      return sent
    },
  )

  addRoute(
    app,
    { ...invitationRoutes.resendInvitation, ...OF_DIRECTORY, answersSecrets: true },
    async ({ ctx, caller, params }) => {
      const sent = await resend(ctx, caller, params.invitationId)
      await announceMembers(ctx, caller, sent.id)
      return sent
    },
  )

  addRoute(
    app,
    { ...invitationRoutes.cancelInvitation, ...OF_DIRECTORY },
    async ({ ctx, caller, params: { invitationId } }) => {
      await cancelOpenInvitation(ctx, caller, invitationId)
      await announceMembers(ctx, caller, invitationId)
      return { id: invitationId, deleted: true as const }
    },
  )
}
