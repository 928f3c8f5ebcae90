// The routes of the Files table in the specification.
import { fileRoutes } from '../../contract/files.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { requestUpload, requireKeptBucket } from './service.ts'

export function addFileRoutes(app: App): void {
  addRoute(app, fileRoutes.createUploadUrl, ({ ctx, caller, body }) => {
    if (caller.keyId !== null) requireKeptBucket(body.bucket)
    return requestUpload(ctx, caller, body)
  })
}
