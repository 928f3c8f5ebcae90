// The specification's section "Files": an address to put a file to, and the one it is read at afterwards.
import { type Static, Type } from 'typebox'
import { CONTENT_TYPE_MAX, FILE_PATH_BYTES_MAX } from './limits.ts'

export const BUCKET_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$'

export const NewUpload = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: FILE_PATH_BYTES_MAX,
      description:
        'Segments separated by /, 1 to 1024 bytes; the last one is the name the file is saved under',
    }),
    bucket: Type.String({
      pattern: BUCKET_PATTERN,
      description: 'Keeps files of one kind together',
      examples: ['contracts'],
    }),
    contentType: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: CONTENT_TYPE_MAX,
        description: 'When given, only this Content-Type is taken',
      }),
    ),
    size: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Bytes; when given, only a file of this size is taken' }),
    ),
  },
  { additionalProperties: false },
)
export type NewUpload = Static<typeof NewUpload>

export const UploadUrl = Type.Object(
  {
    signedUrl: Type.String({ description: 'PUT the file there within 2 hours; it works once' }),
    publicUrl: Type.String({
      description: 'Address of the file after the upload; anyone who has it can read the file',
    }),
    headers: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.String(),
          description:
            'Headers that the PUT must carry as they are; absent when none but Content-Type is needed',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type UploadUrl = Static<typeof UploadUrl>

/** What the PUT answers. */
export const StoredFile = Type.Object(
  {
    publicUrl: Type.String(),
    size: Type.Integer({ minimum: 0 }),
    contentType: Type.String(),
  },
  { additionalProperties: false },
)
export type StoredFile = Static<typeof StoredFile>
