// The picture of a record: a resource of the record, with the scopes of records.
import { pictureRoutes } from '../../contract/attachments.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { getPicture, removePicture, setPicture } from './service.ts'

export function addPictureRoutes(app: App): void {
  addRoute(app, pictureRoutes.getRecordPicture, ({ ctx, caller, params }) => getPicture(ctx, caller, params))

  addRoute(app, pictureRoutes.setRecordPicture, ({ ctx, caller, params, body }) =>
    setPicture(ctx, caller, params, body.url),
  )

  addRoute(app, pictureRoutes.deleteRecordPicture, async ({ ctx, caller, params }) => ({
    id: await removePicture(ctx, caller, params),
    deleted: true as const,
  }))
}
