// Changing who belongs to the organization; the list itself is the API's.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { Member, MemberPatch } from '../../contract/members.ts'
import type { App } from '../http/request.ts'
import { changeRole, removeMember } from './service.ts'

const MemberParams = Type.Object({ memberId: Type.String() })

export function memberDashboardRoutes(app: App): void {
  app.patch(
    '/members/:memberId',
    {
      config: { role: 'admin' },
      schema: { params: MemberParams, body: MemberPatch, response: { 200: Member } },
    },
    ({ ctx, caller, params, body }) =>
      changeRole(ctx, caller, { memberId: params.memberId, role: body.role }),
  )

  app.delete(
    '/members/:memberId',
    // Leaving is for everybody.
    { config: { role: 'member' }, schema: { params: MemberParams, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => {
      await removeMember(ctx, caller, params.memberId)
      return { id: params.memberId, deleted: true as const }
    },
  )
}
