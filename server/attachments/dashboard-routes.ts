// Files of records and activities, and the pictures of all records of a page.
import { Type } from 'typebox'
import {
  ActivityAttachmentList,
  ActivityAttachmentsRequest,
  Attachment,
  AttachmentList,
  AttachmentPatch,
  NewAttachment,
  RecordPictureList,
  RecordPictureRequest,
} from '../../contract/attachments.ts'
import { Deleted } from '../../contract/common.ts'
import type { App } from '../http/request.ts'
import {
  attachFile,
  detachFile,
  listAttachments,
  listOfActivities,
  picturesOf,
  renameAttachment,
} from './service.ts'

const RecordParams = Type.Object({ objectId: Type.String(), recordId: Type.String() })
const ActivityParams = Type.Object({ activityId: Type.String() })
const ofOne = { attachmentId: Type.String() }

const OF_RECORDS = {
  path: '/objects/:objectId/records/:recordId/attachments',
  params: RecordParams,
  one: Type.Object({ ...RecordParams.properties, ...ofOne }),
  read: 'records:read',
  write: 'records:write',
} as const
const OF_ACTIVITIES = {
  path: '/activities/:activityId/attachments',
  params: ActivityParams,
  one: Type.Object({ ...ActivityParams.properties, ...ofOne }),
  read: 'activities:read',
  write: 'activities:write',
} as const

function attachmentRoutes(
  app: App,
  { path, params: Params, one, read, write }: typeof OF_RECORDS | typeof OF_ACTIVITIES,
): void {
  app.get(
    path,
    { config: { scope: read }, schema: { params: Params, response: { 200: AttachmentList } } },
    async ({ ctx, caller, params }) => ({ attachments: await listAttachments(ctx, caller, params) }),
  )

  app.post(
    path,
    {
      config: { scope: write },
      schema: { params: Params, body: NewAttachment, response: { 201: Attachment } },
    },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(201)
      return attachFile(ctx, caller, params, body)
    },
  )

  app.patch(
    `${path}/:attachmentId`,
    {
      config: { scope: write },
      schema: { params: one, body: AttachmentPatch, response: { 200: Attachment } },
    },
    ({ ctx, caller, params, body }) =>
      renameAttachment(ctx, caller, { subject: params, attachmentId: params.attachmentId }, body.name),
  )

  app.delete(
    `${path}/:attachmentId`,
    { config: { scope: write }, schema: { params: one, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => {
      const id = await detachFile(ctx, caller, { subject: params, attachmentId: params.attachmentId })
      return { id, deleted: true as const }
    },
  )
}

export function attachmentDashboardRoutes(app: App): void {
  attachmentRoutes(app, OF_RECORDS)
  attachmentRoutes(app, OF_ACTIVITIES)

  app.post(
    '/activity-attachments',
    {
      config: { scope: 'activities:read' },
      schema: { body: ActivityAttachmentsRequest, response: { 200: ActivityAttachmentList } },
    },
    async ({ ctx, caller, body }) => ({ attachments: await listOfActivities(ctx, caller, body.activityIds) }),
  )

  app.post(
    '/record-pictures',
    {
      config: { scope: 'records:read' },
      schema: { body: RecordPictureRequest, response: { 200: RecordPictureList } },
    },
    async ({ ctx, caller, body }) => ({ pictures: await picturesOf(ctx, caller, body.recordIds) }),
  )
}
