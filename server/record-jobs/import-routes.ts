// Routes of the dashboard that start and cancel an import.
import { importRoutes } from '../../contract/imports.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { cancelImport, runImport } from './import-runs.ts'

export function addImportRunRoutes(app: App): void {
  addRoute(app, importRoutes.runImport, ({ ctx, caller, params }) => runImport(ctx, caller, params.importId))

  addRoute(app, importRoutes.cancelImport, ({ ctx, caller, params }) =>
    cancelImport(ctx, caller, params.importId),
  )
}
