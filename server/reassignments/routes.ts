// Routes that reassign records and tasks of a member.
import { reassignmentRoutes } from '../../contract/reassignments.ts'
import { addRoute } from '../http/add-route.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { cancelReassignment, listAssignments, listReassignments, startReassignment } from './service.ts'

export function addReassignmentRoutes(app: App): void {
  addRoute(app, reassignmentRoutes.listAssignments, ({ ctx, caller, params }) =>
    listAssignments(ctx, caller, params.memberId),
  )
  addRoute(app, reassignmentRoutes.listReassignments, async ({ ctx, caller, query }) => {
    const all = await listReassignments(ctx, caller)
    return pageOfWhole('reassignments', all, query, ['reassignments', caller.org])
  })
  addRoute(app, reassignmentRoutes.startReassignment, ({ ctx, caller, body }) =>
    startReassignment(ctx, caller, body),
  )
  addRoute(app, reassignmentRoutes.cancelReassignment, ({ ctx, caller, params }) =>
    cancelReassignment(ctx, caller, params.reassignmentId),
  )
}
