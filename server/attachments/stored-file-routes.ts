// Files that programs uploaded.
import { fileRoutes } from '../../contract/files.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { deleteFile, getFile, listFiles } from './stored-files.ts'

export function addStoredFileRoutes(app: App): void {
  addRoute(app, fileRoutes.listFiles, ({ ctx, caller, query }) => listFiles(ctx, caller, query))

  addRoute(app, fileRoutes.getFile, ({ ctx, caller, params }) => getFile(ctx, caller, params.fileId))

  addRoute(app, fileRoutes.deleteFile, async ({ ctx, caller, params }) => ({
    id: await deleteFile(ctx, caller, params.fileId),
    deleted: true as const,
  }))
}
