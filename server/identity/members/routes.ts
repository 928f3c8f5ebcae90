// The specification's Members table, and changes of an organization's members.
import { memberRoutes } from '../../../contract/members.ts'
import { addRoute } from '../../http/add-route.ts'
import { OF_DIRECTORY } from '../../http/of-directory.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { announceMembers } from './member-changes.ts'
import { changeRole, removeMember } from './service.ts'
import { selectMembers } from './store.ts'

/** @param refuseKeys resolves when no process accepts the deleted keys any more */
export function addMemberRoutes(app: App, refuseKeys: (keyIds: readonly string[]) => Promise<void>): void {
  addRoute(app, memberRoutes.listMembers, async ({ ctx, caller, query }) => {
    const all = await selectMembers(ctx.directory, caller.orgId)
    return pageOfWhole('members', all, query, ['members', caller.org])
  })

  addRoute(
    app,
    { ...memberRoutes.updateMember, ...OF_DIRECTORY },
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
    { ...memberRoutes.removeMember, ...OF_DIRECTORY },
    async ({ ctx, caller, params: { memberId }, query: { revokeKeys = false } }) => {
      const { userId, revoked } = await removeMember(ctx, caller, { memberId, revokeKeys })
      await refuseKeys(revoked)
      await announceMembers(ctx, caller, userId)
      return { id: memberId, deleted: true as const }
    },
  )
}
