// The specification's Members table.
import { memberRoutes } from '../../../contract/members.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { selectMembers } from './store.ts'

export function addMemberRoutes(app: App): void {
  addRoute(app, memberRoutes.listMembers, async ({ ctx, caller, query }) => {
    const all = await selectMembers(ctx.directory, caller.orgId)
    const { rows: members, pagination } = pageOfWhole(all, query, ['members', caller.org])
    return { members, pagination }
  })
}
