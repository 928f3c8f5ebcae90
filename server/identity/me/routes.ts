// The caller of a request: organization, key, scopes and limits.
import { meRoutes } from '../../../contract/me.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { describeCaller } from './service.ts'

export function addMeRoutes(app: App): void {
  addRoute(app, meRoutes.getMe, ({ ctx, caller, role, signedIn }) =>
    describeCaller(ctx, { caller, role, signedIn }),
  )
}
