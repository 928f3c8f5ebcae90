// The specification's section "Files": a URL to upload a file to, and the URL to read the file.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes, exampleUser } from './example-values.ts'
import { CONTENT_TYPE_MAX, FILE_PATH_BYTES_MAX } from './limits.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'

export const BUCKET_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$'

export const NewUpload = StrictObject({
  path: Type.String({
    minLength: 1,
    maxLength: FILE_PATH_BYTES_MAX,
    description: 'Segments separated by /, 1 to 1024 bytes; the last one is the file name for downloads',
  }),
  bucket: Type.String({
    pattern: BUCKET_PATTERN,
    description: 'Groups files of one kind',
    examples: ['contracts'],
  }),
  contentType: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: CONTENT_TYPE_MAX,
      description: 'If set, only this Content-Type is accepted',
    }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Bytes; if set, only a file of this size is accepted' }),
  ),
})
export type NewUpload = Static<typeof NewUpload>

export const UploadUrl = StrictObject({
  signedUrl: Type.String({
    description: 'Send the file to this URL with PUT within 2 hours; it works once',
  }),
  publicUrl: Type.String({
    description: 'URL of the file after the upload; anyone with the URL can read the file',
  }),
  headers: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: Type.String(),
        description: 'Headers to send with the PUT; absent if only Content-Type is needed',
      },
    ),
  ),
})
export type UploadUrl = Static<typeof UploadUrl>

/** The response of the upload. */
export const StoredFile = StrictObject({
  publicUrl: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  contentType: Type.String(),
})
export type StoredFile = Static<typeof StoredFile>

export const UploadedFile = StrictObject(
  {
    id: Uuid,
    bucket: Type.String(),
    path: Type.String(),
    name: Type.String({ description: 'Last segment of the path' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    contentType: Type.String(),
    url: Type.String({ description: 'URL of the file; anyone with the URL can read the file' }),
    createdAt: Timestamp,
    createdBy: Nullable(ActingUser, {
      description:
        'The user who uploaded the file, or the creator of the API key; null: the user was deleted',
    }),
  },
  { description: 'A file that a program uploaded' },
)
export type UploadedFile = Static<typeof UploadedFile>

export const UploadedFileList = listOf('files', UploadedFile)

export const UploadedFileQuery = StrictObject({
  bucket: Type.Optional(
    Type.String({
      pattern: BUCKET_PATTERN,
      description: 'Only files of this bucket',
      examples: ['contracts'],
    }),
  ),
  prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FILE_PATH_BYTES_MAX,
      description: 'Only files whose path begins with this text',
      examples: ['people/'],
    }),
  ),
  ...pageParams(),
})
export type UploadedFileQuery = Static<typeof UploadedFileQuery>

/** Schemas by their names in the API document. */
export const fileSchemas = { NewUpload, UploadUrl, UploadedFile, UploadedFileList }

const exampleFile: UploadedFile = {
  id: exampleId(12),
  bucket: 'avatars',
  path: 'people/ada.png',
  name: 'ada.png',
  size: 48_213,
  contentType: 'image/png',
  url: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png',
  createdAt: exampleTimes.createdAt,
  createdBy: exampleUser,
}

export const fileRoutes = {
  createUploadUrl: {
    at: 'POST /files/upload-url',
    scope: 'files:write',
    summary: 'Create an upload URL',
    description:
      'Send the file with PUT to `signedUrl` within 2 hours, with its `Content-Type` and the `headers` of the response. The URL works once and never overwrites a file. After the upload anyone with `publicUrl` can read the file; before the upload `publicUrl` returns 404.',
    body: NewUpload,
    response: { 200: UploadUrl },
    errors: ['file_exists', 'storage_full'],
    example: {
      body: { path: 'people/ada.png', bucket: 'avatars', contentType: 'image/png' },
      response: {
        signedUrl: `https://crm.example.com/files/upload/${exampleId(11)}/${exampleId(12)}?expires=1795176000&contentType=image%2Fpng&signature=Yk8vJm2Xc9Rb5Vn1Lp6Hd4Gf0SyAk3J9xTq7Wm2Zc8R`,
        publicUrl: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png',
      },
    },
  },
  listFiles: {
    at: 'GET /files',
    scope: 'files:read',
    summary: 'List uploaded files',
    description:
      'Files that programs uploaded, newest first, also those that are attached to records and activities, with the URLs that read them. Files of the dashboard are attachments of their records and activities.',
    query: UploadedFileQuery,
    response: { 200: UploadedFileList },
    example: { response: { files: [exampleFile], pagination: examplePage } },
  },
  getFile: {
    at: 'GET /files/:fileId',
    scope: 'files:read',
    summary: 'Get an uploaded file',
    description: 'The content is at `url`.',
    response: { 200: UploadedFile },
    example: { response: exampleFile },
  },
  deleteFile: {
    at: 'DELETE /files/:fileId',
    scope: 'files:manage',
    summary: 'Delete an uploaded file',
    description:
      'Permanently. After the response its URL returns 404, and its path can be used again. Its content is removed after a day, and counts towards the storage until then. A file that is attached to a record or activity, also in the trash, or that is a picture, is not deleted: 409 `wrong_state`, with what uses it in `details.usedBy`.',
    response: { 200: Deleted },
    errors: ['wrong_state'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes

const UploadQuery = StrictObject({
  expires: Type.Integer({ minimum: 0 }),
  contentType: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  signature: Type.String(),
})

/** Routes below /files. A signature in the URL replaces the API key. */
export const fileAddressRoutes = {
  uploadFile: {
    at: 'PUT /upload/:organizationId/:fileId',
    query: UploadQuery,
    response: { 200: StoredFile },
  },
} satisfies DashboardRoutes
