// The specification's Files table.
import { NewUpload, UploadUrl } from '../../contract/files.ts'
import type { App } from '../http/request.ts'
import { requestUpload, requireKeptBucket } from './service.ts'

export function fileRoutes(app: App): void {
  app.post(
    '/files/upload-url',
    {
      config: { scope: 'files:write', errors: ['file_exists', 'storage_full'] },
      schema: { body: NewUpload, response: { 200: UploadUrl } },
    },
    ({ ctx, caller, body }) => {
      if (caller.keyId !== null) requireKeptBucket(body.bucket)
      return requestUpload(ctx, caller, body)
    },
  )
}
