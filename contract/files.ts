// The specification's section "Files": a URL to upload a file to, and the URL to read the file.
import { type Static, Type } from 'typebox'
import { StrictObject } from './common.ts'
import { exampleId } from './example-values.ts'
import { CONTENT_TYPE_MAX, FILE_PATH_BYTES_MAX } from './limits.ts'
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

/** Schemas by their names in the API document. */
export const fileSchemas = { NewUpload, UploadUrl }

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
