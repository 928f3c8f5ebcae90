// The picture of a record: a resource of the record, with the scopes of records.
import { Type } from 'typebox'
import { NewPicture, RecordPicture } from '../../contract/attachments.ts'
import { Deleted } from '../../contract/common.ts'
import type { App } from '../http/request.ts'
import { getPicture, removePicture, setPicture } from './service.ts'

const PATH = '/objects/:objectId/records/:recordId/picture'
const RecordParams = Type.Object({ objectId: Type.String(), recordId: Type.String() })

export function pictureRoutes(app: App): void {
  app.get(
    PATH,
    { config: { scope: 'records:read' }, schema: { params: RecordParams, response: { 200: RecordPicture } } },
    ({ ctx, caller, params }) => getPicture(ctx, caller, params),
  )

  app.post(
    PATH,
    {
      config: { scope: 'records:write', errors: ['object_inactive'] },
      schema: { params: RecordParams, body: NewPicture, response: { 200: RecordPicture } },
    },
    ({ ctx, caller, params, body }) => setPicture(ctx, caller, params, body.url),
  )

  app.delete(
    PATH,
    {
      config: { scope: 'records:write', errors: ['object_inactive'] },
      schema: { params: RecordParams, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params }) => ({
      id: await removePicture(ctx, caller, params),
      deleted: true as const,
    }),
  )
}
