// The first page after sign-in.
import { homeRoutes } from '../../contract/home.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { readHome } from './service.ts'

export function addHomeDashboardRoutes(app: App): void {
  addRoute(app, homeRoutes.getHome, ({ ctx, caller }) => readHome(ctx, caller))
}
