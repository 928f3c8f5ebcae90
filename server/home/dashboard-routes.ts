// The first page after sign-in.
import { Home } from '../../contract/home.ts'
import type { App } from '../http/request.ts'
import { readHome } from './service.ts'

export function homeDashboardRoutes(app: App): void {
  app.get(
    '/home',
    { config: { scope: 'records:read' }, schema: { response: { 200: Home } } },
    ({ ctx, caller }) => readHome(ctx, caller),
  )
}
