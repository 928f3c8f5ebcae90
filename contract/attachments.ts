// Files of records and activities, and pictures of records: what the dashboard adds to the specification's files.
import { type Static, Type } from 'typebox'
import { Deleted, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId } from './example-values.ts'
import { ACTIVITIES_MAX, ATTACHMENT_NAME_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'

const RECORDS_MAX = 500

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: ATTACHMENT_NAME_MAX })
const Url = Type.String({ minLength: 1, maxLength: 8192, description: 'The publicUrl of an uploaded file' })

export const Attachment = StrictObject(
  {
    id: Uuid,
    name: Name,
    url: Type.String({ description: 'URL of the file; anyone with the URL can read the file' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    contentType: Type.String(),
    createdAt: Timestamp,
    createdBy: Nullable(UserRef, { description: 'null: the user was deleted' }),
  },
  { description: 'A file attached to a record or an activity' },
)
export type Attachment = Static<typeof Attachment>

/** In the order in which the files came. */
export const AttachmentList = StrictObject({ attachments: Type.Array(Attachment) })

/** `name`: the file's own when it is left out. */
export const NewAttachment = StrictObject({ url: Url, name: Type.Optional(Name) })
export type NewAttachment = Static<typeof NewAttachment>

export const AttachmentPatch = StrictObject({ name: Type.Optional(Name) })

export const ActivityAttachmentsRequest = StrictObject({
  activityIds: Type.Array(Uuid, { minItems: 1, maxItems: ACTIVITIES_MAX }),
})

export const ActivityAttachment = StrictObject({ activityId: Uuid, attachment: Attachment })
export type ActivityAttachment = Static<typeof ActivityAttachment>

/** Of those activities that have any. */
export const ActivityAttachmentList = StrictObject({ attachments: Type.Array(ActivityAttachment) })

export const NewPicture = StrictObject({ url: Url })

export const RecordPicture = StrictObject(
  { recordId: Uuid, url: Type.String() },
  { description: 'The picture of a record, such as a photo or a logo' },
)
export type RecordPicture = Static<typeof RecordPicture>

export const RecordPictureRequest = StrictObject({
  recordIds: Type.Array(Uuid, { minItems: 1, maxItems: RECORDS_MAX }),
})

/** Of those records that have one. */
export const RecordPictureList = StrictObject({ pictures: Type.Array(RecordPicture) })

/** Their names in the API document. */
export const pictureSchemas = { NewPicture, RecordPicture }

const examplePicture = {
  recordId: exampleId(3),
  url: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png',
}

export const pictureRoutes = {
  getRecordPicture: {
    at: 'GET /objects/:objectId/records/:recordId/picture',
    scope: 'records:read',
    summary: 'Get the picture of a record',
    description: 'Returns 404 when the record has no picture.',
    response: { 200: RecordPicture },
    example: {
      response: examplePicture,
    },
  },
  setRecordPicture: {
    at: 'POST /objects/:objectId/records/:recordId/picture',
    scope: 'records:write',
    summary: 'Set the picture of a record',
    description:
      'A photo of a person or the logo of a company; the dashboard shows it beside the name. `url` is the `publicUrl` of an uploaded PNG, JPEG, GIF, WebP or AVIF, ideally 256 by 256 pixels. It replaces the current picture.',
    body: NewPicture,
    response: { 200: RecordPicture },
    errors: ['object_inactive'],
    example: {
      body: { url: examplePicture.url },
      response: examplePicture,
    },
  },
  deleteRecordPicture: {
    at: 'DELETE /objects/:objectId/records/:recordId/picture',
    worksOnFullDisk: true,
    scope: 'records:write',
    summary: 'Remove the picture of a record',
    description: 'The file itself is kept, unless the dashboard uploaded it.',
    response: { 200: Deleted },
    errors: ['object_inactive'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes

export const recordAttachmentRoutes = {
  listAttachments: {
    at: 'GET /objects/:objectId/records/:recordId/attachments',
    scope: 'records:read',
    response: { 200: AttachmentList },
  },
  attachFile: {
    at: 'POST /objects/:objectId/records/:recordId/attachments',
    scope: 'records:write',
    body: NewAttachment,
    response: { 201: Attachment },
  },
  renameAttachment: {
    at: 'PATCH /objects/:objectId/records/:recordId/attachments/:attachmentId',
    scope: 'records:write',
    body: AttachmentPatch,
    response: { 200: Attachment },
  },
  detachFile: {
    at: 'DELETE /objects/:objectId/records/:recordId/attachments/:attachmentId',
    worksOnFullDisk: true,
    scope: 'records:write',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes

export const activityAttachmentRoutes = {
  listAttachments: {
    at: 'GET /activities/:activityId/attachments',
    scope: 'activities:read',
    response: { 200: AttachmentList },
  },
  attachFile: {
    at: 'POST /activities/:activityId/attachments',
    scope: 'activities:write',
    body: NewAttachment,
    response: { 201: Attachment },
  },
  renameAttachment: {
    at: 'PATCH /activities/:activityId/attachments/:attachmentId',
    scope: 'activities:write',
    body: AttachmentPatch,
    response: { 200: Attachment },
  },
  detachFile: {
    at: 'DELETE /activities/:activityId/attachments/:attachmentId',
    worksOnFullDisk: true,
    scope: 'activities:write',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes

export const attachmentDashboardRoutes = {
  listActivityAttachments: {
    at: 'POST /activity-attachments',
    scope: 'activities:read',
    body: ActivityAttachmentsRequest,
    response: { 200: ActivityAttachmentList },
  },
  listRecordPictures: {
    at: 'POST /record-pictures',
    scope: 'records:read',
    body: RecordPictureRequest,
    response: { 200: RecordPictureList },
  },
} satisfies DashboardRoutes
