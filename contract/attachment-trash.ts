// Removed files of records and activities that can be restored.
import type { Static } from 'typebox'
import { Attachment, exampleAttachment } from './attachments.ts'
import { Deleted, listOf, Nullable, StrictObject, Uuid } from './common.ts'
import { exampleDeleted, exampleDeletion, exampleId, examplePage } from './example-values.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields } from './trash.ts'

/** What the file belonged to: a record with its object, or an activity. */
const placeFields = {
  objectId: Nullable(Uuid, { description: 'Object of the record; null for a file of an activity' }),
  recordId: Nullable(Uuid),
  activityId: Nullable(Uuid, { description: 'null for a file of a record' }),
}

export const TrashedAttachment = StrictObject(
  {
    ...Attachment.properties,
    ...placeFields,
    ...deletionFields,
  },
  { description: 'A file that was removed from a record or an activity' },
)
export type TrashedAttachment = Static<typeof TrashedAttachment>

export const TrashedAttachmentList = listOf('attachments', TrashedAttachment)

export const RestoredAttachment = StrictObject(
  { ...Attachment.properties, ...placeFields },
  { description: 'A restored file, with its record or activity' },
)
export type RestoredAttachment = Static<typeof RestoredAttachment>

export const TrashedAttachmentQuery = StrictObject(pageParams())
export type TrashedAttachmentQuery = Static<typeof TrashedAttachmentQuery>

/** Schemas by their names in the API document. */
export const attachmentTrashSchemas = { TrashedAttachment, TrashedAttachmentList, RestoredAttachment }

const exampleRestored = {
  ...exampleAttachment,
  objectId: exampleId(1),
  recordId: exampleId(3),
  activityId: null,
}

export const attachmentTrashRoutes = {
  listTrashedAttachments: {
    at: 'GET /trashed-attachments',
    scope: 'attachments:read',
    summary: 'List removed files',
    description:
      'Files that were removed from records and activities, most recently removed first. They count towards the storage. They are deleted permanently after the organization’s `trashDays`, 30 by default.',
    query: TrashedAttachmentQuery,
    response: { 200: TrashedAttachmentList },
    example: {
      response: {
        attachments: [
          {
            ...exampleRestored,
            ...exampleDeletion,
            deletedBy: exampleAttachment.createdBy,
          },
        ],
        pagination: examplePage,
      },
    },
  },
  restoreAttachment: {
    at: 'POST /trashed-attachments/:attachmentId/restore',
    scope: 'attachments:write',
    readScope: 'attachments:read',
    summary: 'Restore a removed file',
    description:
      'Restores the file with its id and name to its activity or record, or to the record into which its record was merged. If the target already has the same file, the response is the existing attachment. In that case a removed file of a merged record stays in the trash, and can be restored after the merge is undone.',
    response: { 200: RestoredAttachment },
    errors: ['limit_reached', 'object_inactive'],
    example: { response: exampleRestored },
  },
  purgeAttachment: {
    at: 'DELETE /trashed-attachments/:attachmentId',
    scope: 'attachments:write',
    worksOnFullDisk: true,
    summary: 'Delete a file from the trash',
    description:
      'Deletes the attachment permanently. It cannot be restored. A file that the dashboard uploaded is deleted a day after nothing uses it; other files are kept.',
    response: { 200: Deleted },
    example: { response: { ...exampleDeleted, id: exampleAttachment.id } },
  },
} satisfies ApiRoutes
