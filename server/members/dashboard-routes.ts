// Changing who belongs to the organization; the list itself is the API's.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { Member, MemberPatch, MemberRemoval } from '../../contract/members.ts'
import type { App } from '../http/request.ts'
import { changeRole, removeMember } from './service.ts'

const MemberParams = Type.Object({ memberId: Type.String() })

/** @param refuseKeys answers when no process accepts the deleted keys any more */
export function memberDashboardRoutes(
  app: App,
  refuseKeys: (keyIds: readonly string[]) => Promise<void>,
): void {
  app.patch(
    '/members/:memberId',
    {
      config: { role: 'admin' },
      schema: { params: MemberParams, body: MemberPatch, response: { 200: Member } },
    },
    async ({ ctx, caller, params, body: { role, revokeKeys = false } }) => {
      const change = { memberId: params.memberId, role, revokeKeys }
      const { member, revoked } = await changeRole(ctx, caller, change)
      await refuseKeys(revoked)
      return member
    },
  )

  app.delete(
    '/members/:memberId',
    // Leaving is for everybody.
    {
      config: { role: 'member' },
      schema: { params: MemberParams, querystring: MemberRemoval, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params: { memberId }, query: { revokeKeys = false } }) => {
      await refuseKeys(await removeMember(ctx, caller, { memberId, revokeKeys }))
      return { id: memberId, deleted: true as const }
    },
  )
}
