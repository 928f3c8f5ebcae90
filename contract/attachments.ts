// Files of records and activities, and pictures of records: what the dashboard adds to the specification's files.
import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'

/**
 * Where the dashboard puts what people attach. A file of this bucket that nothing uses any more is removed after a
 * day; files of every other bucket belong to the programs that uploaded them.
 */
export const DASHBOARD_BUCKET = 'dashboard-uploads'
export const ATTACHMENTS_MAX = 200
export const ATTACHMENT_NAME_MAX = 255
/** So many activities may be asked about at once: each may have all the files there may be. */
export const ACTIVITIES_MAX = 50
const RECORDS_MAX = 500

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: ATTACHMENT_NAME_MAX })
const Url = Type.String({ minLength: 1, maxLength: 8192, description: 'The publicUrl of an uploaded file' })

export const Attachment = Type.Object(
  {
    id: Uuid,
    name: Name,
    url: Type.String({ description: 'Address of the file; anyone who has it can read the file' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    contentType: Type.String(),
    createdAt: Timestamp,
    createdBy: Type.Union([UserRef, Type.Null()], { description: 'null: the user is gone' }),
  },
  { additionalProperties: false, description: 'A file of a record or an activity' },
)
export type Attachment = Static<typeof Attachment>

/** In the order in which the files came. */
export const AttachmentList = Type.Object(
  { attachments: Type.Array(Attachment) },
  { additionalProperties: false },
)

/** `name`: the file's own when it is left out. */
export const NewAttachment = Type.Object(
  { url: Url, name: Type.Optional(Name) },
  { additionalProperties: false },
)
export type NewAttachment = Static<typeof NewAttachment>

export const AttachmentPatch = Type.Object({ name: Type.Optional(Name) }, { additionalProperties: false })

export const ActivityAttachmentsRequest = Type.Object(
  { activityIds: Type.Array(Uuid, { minItems: 1, maxItems: ACTIVITIES_MAX }) },
  { additionalProperties: false },
)

export const ActivityAttachment = Type.Object(
  { activityId: Uuid, attachment: Attachment },
  { additionalProperties: false },
)
export type ActivityAttachment = Static<typeof ActivityAttachment>

/** Of those activities that have any. */
export const ActivityAttachmentList = Type.Object(
  { attachments: Type.Array(ActivityAttachment) },
  { additionalProperties: false },
)

export const NewPicture = Type.Object({ url: Url }, { additionalProperties: false })

export const RecordPicture = Type.Object(
  { recordId: Uuid, url: Type.String() },
  { additionalProperties: false, description: 'The picture of a record: a face, a logo' },
)
export type RecordPicture = Static<typeof RecordPicture>

export const RecordPictureRequest = Type.Object(
  { recordIds: Type.Array(Uuid, { minItems: 1, maxItems: RECORDS_MAX }) },
  { additionalProperties: false },
)

/** Of those records that have one. */
export const RecordPictureList = Type.Object(
  { pictures: Type.Array(RecordPicture) },
  { additionalProperties: false },
)
