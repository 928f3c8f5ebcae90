// Changing who belongs to the organization; the list itself is the API's.
import { memberDashboardRoutes } from '../../../contract/members.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { announceMembers } from './member-changes.ts'
import { changeRole, removeMember } from './service.ts'

/** @param refuseKeys answers when no process accepts the deleted keys any more */
export function addMemberDashboardRoutes(
  app: App,
  refuseKeys: (keyIds: readonly string[]) => Promise<void>,
): void {
  addRoute(
    app,
    memberDashboardRoutes.updateMember,
    async ({ ctx, caller, params, body: { role, revokeKeys = false } }) => {
      const change = { memberId: params.memberId, role, revokeKeys }
      const { member, revoked } = await changeRole(ctx, caller, change)
      await refuseKeys(revoked)
      await announceMembers(ctx, caller, member.user.id)
      return member
    },
  )

  addRoute(
    app,
    memberDashboardRoutes.removeMember,
    async ({ ctx, caller, params: { memberId }, query: { revokeKeys = false } }) => {
      const { userId, revoked } = await removeMember(ctx, caller, { memberId, revokeKeys })
      await refuseKeys(revoked)
      await announceMembers(ctx, caller, userId)
      return { id: memberId, deleted: true as const }
    },
  )
}
