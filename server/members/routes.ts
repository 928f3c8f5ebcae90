// The specification's Members table.
import { MemberList } from '../../contract/members.ts'
import type { App } from '../http/request.ts'
import { selectMembers } from './store.ts'

export function memberRoutes(app: App): void {
  app.get(
    '/members',
    { config: { scope: 'members:read' }, schema: { response: { 200: MemberList } } },
    async ({ ctx, caller }) => ({ members: await selectMembers(ctx.db, caller.orgId) }),
  )
}
