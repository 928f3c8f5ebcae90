// Imports of CSV files, in the order in which the dashboard needs them.
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { ColumnValues, Import, ImportCheck, ImportList } from '../../contract/imports.ts'
import { NOT_BLANK } from '../../contract/not-blank.ts'
import { AppError } from '../errors.ts'
import { sendCsv } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { columnValues } from './column-values.ts'
import { failedRows } from './failed-rows.ts'
import { cancelImport, checkImport, deleteImport, getImport, listImports, runImport } from './service.ts'
import { uploadFile } from './upload.ts'

const ObjectParams = Type.Object({ objectId: Type.String({ description: 'The object’s id, or its slug' }) })
const ImportParams = Type.Object({ importId: Type.String() })
const ColumnParams = Type.Object({
  importId: Type.String(),
  index: Type.String({ pattern: '^\\d{1,4}$', description: 'Place of the column, from 0' }),
})
const UploadQuery = Type.Object(
  { fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: NOT_BLANK })) },
  { additionalProperties: false },
)

async function* nothing(): AsyncGenerator<Buffer> {}

/** A faulty file is refused early. The rest is read too: a client that is still sending would not see the answer. */
async function readingAll<Result>(
  body: Readable | undefined,
  work: (source: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(body?.iterator({ destroyOnReturn: false }) ?? nothing())
  } finally {
    body?.resume()
  }
}

/** The body is read by the handler, as it comes. */
function uploadRoute(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new AppError('unsupported_media_type', 'Send the file as it is, with Content-Type: text/csv')),
  )
  app.post(
    '/objects/:objectId/imports',
    {
      config: { scope: 'records:write', slowBody: true },
      // The parser above takes no notice of it, and reads on: the size is looked at while the file is stored.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      schema: { params: ObjectParams, querystring: UploadQuery, response: { 201: Import } },
    },
    async ({ ctx, caller, params, query, body }, reply) => {
      const fileName = query.fileName?.trim() ?? 'import.csv'
      const id = await readingAll(body as Readable | undefined, (source) =>
        uploadFile(ctx, caller, params.objectId, { fileName, source }),
      )
      reply.code(201)
      return getImport(ctx, caller, id)
    },
  )
}

export function importDashboardRoutes(app: App): void {
  app.register(async (scope) => uploadRoute(scope as App))

  app.get(
    '/objects/:objectId/imports',
    { config: { scope: 'records:write' }, schema: { params: ObjectParams, response: { 200: ImportList } } },
    async ({ ctx, caller, params }) => ({
      imports: await listImports(ctx, caller, params.objectId),
      maxBytes: ctx.config.importMaxBytes,
    }),
  )

  app.get(
    '/imports/:importId',
    { config: { scope: 'records:write' }, schema: { params: ImportParams, response: { 200: Import } } },
    ({ ctx, caller, params }) => getImport(ctx, caller, params.importId),
  )

  app.get(
    '/imports/:importId/columns/:index/values',
    {
      config: { scope: 'records:write' },
      schema: { params: ColumnParams, response: { 200: ColumnValues } },
    },
    ({ ctx, caller, params }) => columnValues(ctx, caller, { ...params, index: Number(params.index) }),
  )

  app.post(
    '/imports/:importId/check',
    {
      config: { scope: 'records:write' },
      schema: { params: ImportParams, body: ImportCheck, response: { 200: Import } },
    },
    ({ ctx, caller, params, body }) => checkImport(ctx, caller, params.importId, body),
  )

  app.post(
    '/imports/:importId/run',
    { config: { scope: 'records:write' }, schema: { params: ImportParams, response: { 200: Import } } },
    ({ ctx, caller, params }) => runImport(ctx, caller, params.importId),
  )

  app.post(
    '/imports/:importId/cancel',
    { config: { scope: 'records:write' }, schema: { params: ImportParams, response: { 200: Import } } },
    ({ ctx, caller, params }) => cancelImport(ctx, caller, params.importId),
  )

  app.get(
    '/imports/:importId/failed.csv',
    { config: { scope: 'records:write' }, schema: { params: ImportParams } },
    async ({ ctx, caller, params }, reply) => sendCsv(reply, await failedRows(ctx, caller, params.importId)),
  )

  app.delete(
    '/imports/:importId',
    { config: { scope: 'records:write' }, schema: { params: ImportParams, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => ({
      id: await deleteImport(ctx, caller, params.importId),
      deleted: true as const,
    }),
  )
}
