// Files of records and activities, and pictures of records. They are an addition (+) to the specification's files.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { ACTIVITIES_MAX, ATTACHMENT_NAME_MAX } from './limits.ts'
import { ActingUser } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { WholeListQuery } from './paging.ts'
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
    createdBy: Nullable(ActingUser, { description: 'null: the user was deleted' }),
  },
  { description: 'A file attached to a record or an activity' },
)
export type Attachment = Static<typeof Attachment>

/** Attachments in the order in which they were added. */
export const AttachmentList = listOf('attachments', Attachment)

/** `name`: the default is the name of the file. */
export const NewAttachment = StrictObject({ url: Url, name: Type.Optional(Name) })
export type NewAttachment = Static<typeof NewAttachment>

export const AttachmentPatch = StrictObject({ name: Type.Optional(Name) })

export const ActivityAttachmentsRequest = StrictObject({
  activityIds: Type.Array(Uuid, { minItems: 1, maxItems: ACTIVITIES_MAX }),
})

export const ActivityAttachment = StrictObject({ activityId: Uuid, attachment: Attachment })
export type ActivityAttachment = Static<typeof ActivityAttachment>

/** Only activities with attachments are listed. */
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

/** Only records with a picture are listed. */
export const RecordPictureList = StrictObject({ pictures: Type.Array(RecordPicture) })

/** Schemas by their names in the API document. */
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
      'A photo of a person or the logo of a company, which the dashboard shows next to the name. `url` is the `publicUrl` of an uploaded PNG, JPEG, GIF, WebP or AVIF, ideally 256 by 256 pixels. The new picture replaces the current one.',
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

/** Schemas by their names in the API document. */
export const attachmentSchemas = { Attachment, AttachmentList, NewAttachment, AttachmentPatch }

export const exampleAttachment = {
  id: exampleId(29),
  name: 'Contract.pdf',
  url: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/contract.pdf',
  size: 48_213,
  contentType: 'application/pdf',
  createdAt: exampleTimes.createdAt,
  createdBy: exampleUser,
}

export const recordAttachmentRoutes = {
  listRecordAttachments: {
    at: 'GET /objects/:objectId/records/:recordId/attachments',
    scope: 'attachments:read',
    summary: 'List the files of a record',
    description: 'In the order in which the files were attached.',
    query: WholeListQuery,
    response: { 200: AttachmentList },
    example: { response: { attachments: [exampleAttachment], pagination: exampleWhole } },
  },
  attachFileToRecord: {
    at: 'POST /objects/:objectId/records/:recordId/attachments',
    scope: 'attachments:write',
    readScope: 'attachments:read',
    summary: 'Attach a file to a record',
    description:
      '`url` is the `publicUrl` of an uploaded file. `name` defaults to the name of the file. If the file is already attached, its id stays and its name is updated.',
    body: NewAttachment,
    response: { 201: Attachment },
    errors: ['limit_reached', 'object_inactive'],
    example: {
      body: { url: exampleAttachment.url, name: exampleAttachment.name },
      response: exampleAttachment,
    },
  },
  renameRecordAttachment: {
    at: 'PATCH /objects/:objectId/records/:recordId/attachments/:attachmentId',
    scope: 'attachments:write',
    readScope: 'attachments:read',
    summary: 'Rename a file of a record',
    body: AttachmentPatch,
    response: { 200: Attachment },
    errors: ['object_inactive'],
    example: { body: { name: exampleAttachment.name }, response: exampleAttachment },
  },
  detachFileFromRecord: {
    at: 'DELETE /objects/:objectId/records/:recordId/attachments/:attachmentId',
    worksOnFullDisk: true,
    scope: 'attachments:write',
    summary: 'Remove a file from a record',
    description: 'Moves the file to the trash, from which it can be restored.',
    response: { 200: Deleted },
    errors: ['object_inactive'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes

export const activityAttachmentRoutes = {
  listActivityAttachments: {
    at: 'GET /activities/:activityId/attachments',
    scope: 'attachments:read',
    summary: 'List the files of an activity',
    description: 'In the order in which the files were attached.',
    query: WholeListQuery,
    response: { 200: AttachmentList },
    example: { response: { attachments: [exampleAttachment], pagination: exampleWhole } },
  },
  attachFileToActivity: {
    at: 'POST /activities/:activityId/attachments',
    scope: 'attachments:write',
    readScope: 'attachments:read',
    summary: 'Attach a file to an activity',
    description:
      '`url` is the `publicUrl` of an uploaded file. `name` defaults to the name of the file. If the file is already attached, its id stays and its name is updated.',
    body: NewAttachment,
    response: { 201: Attachment },
    errors: ['limit_reached'],
    example: {
      body: { url: exampleAttachment.url, name: exampleAttachment.name },
      response: exampleAttachment,
    },
  },
  renameActivityAttachment: {
    at: 'PATCH /activities/:activityId/attachments/:attachmentId',
    scope: 'attachments:write',
    readScope: 'attachments:read',
    summary: 'Rename a file of an activity',
    body: AttachmentPatch,
    response: { 200: Attachment },
    example: { body: { name: exampleAttachment.name }, response: exampleAttachment },
  },
  detachFileFromActivity: {
    at: 'DELETE /activities/:activityId/attachments/:attachmentId',
    worksOnFullDisk: true,
    scope: 'attachments:write',
    summary: 'Remove a file from an activity',
    description: 'Moves the file to the trash, from which it can be restored.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes

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
