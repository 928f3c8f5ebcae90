// The settings of the organization.
import { organizationRoutes } from '../../contract/organization.ts'
import { addRoute } from '../http/add-route.ts'
import { OF_DIRECTORY } from '../http/of-directory.ts'
import type { App } from '../http/request.ts'
import { getOrganization, patchOrganization } from './service.ts'

export function addOrganizationRoutes(app: App): void {
  addRoute(app, organizationRoutes.getOrganization, ({ ctx, caller }) => getOrganization(ctx, caller.orgId))

  addRoute(app, { ...organizationRoutes.updateOrganization, ...OF_DIRECTORY }, ({ ctx, caller, body }) =>
    patchOrganization(ctx, caller.orgId, body),
  )
}
