// The route that searches all objects.
import { searchRoutes } from '../../contract/search.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { searchEverything } from './service.ts'

export function addSearchRoutes(app: App): void {
  addRoute(app, searchRoutes.searchEverything, ({ ctx, caller, query }) =>
    searchEverything(ctx, caller, query),
  )
}
