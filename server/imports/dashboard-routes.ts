// Imports of CSV files, in the order in which the dashboard needs them; their runs are jobs (record-jobs).
import type { Readable } from 'node:stream'
import { importRoutes } from '../../contract/imports.ts'
import { BULK_BODY_BYTES_MAX } from '../../contract/limits.ts'
import { type CheckedCells, pastedCellRoutes } from '../../contract/pasted-cells.ts'
import type { UndoneBatch } from '../../contract/undo.ts'
import { AppError } from '../base/errors.ts'
import { addRoute } from '../http/add-route.ts'
import { sendCsv } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { columnValues } from './column-values.ts'
import { failedRows } from './failed-rows.ts'
import { checkPastedCells } from './pasted-cells.ts'
import { checkImport, deleteImport, getImport, listImports } from './service.ts'
import { undoImport } from './undo.ts'
import { beginUpload, continueUpload, readUpload, uploadFile } from './upload.ts'

const fileNameOf = ({ fileName }: { fileName?: string | undefined }): string =>
  fileName?.trim() ?? 'import.csv'

async function* nothing(): AsyncGenerator<Buffer> {}

/**
 * An invalid file is rejected early. The rest of the body is read anyway: a client that is still sending would not
 * see the response.
 */
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

/** The parser ignores the limit: the size is checked while the file is stored. */
const FILE = { slowBody: true, bodyLimit: Number.MAX_SAFE_INTEGER } as const

/** The handlers read the body as a stream. */
function uploadRoutes(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new AppError('unsupported_media_type', 'Send the file as it is, with Content-Type: text/csv')),
  )
  addRoute(app, { ...importRoutes.uploadImport, ...FILE }, async ({ ctx, caller, params, query, body }) => {
    const fileName = fileNameOf(query)
    const id = await readingAll(body as Readable | undefined, (source) =>
      uploadFile(ctx, caller, params.objectId, { fileName, source }),
    )
    return getImport(ctx, caller, id)
  })
  addRoute(
    app,
    { ...importRoutes.continueImportUpload, ...FILE },
    async ({ ctx, caller, params, query, body }) => {
      const offset = Number(query.offset)
      const id = await readingAll(body as Readable | undefined, (source) =>
        continueUpload(ctx, caller, params.importId, { offset, source }),
      )
      return getImport(ctx, caller, id)
    },
  )
}

export function addImportDashboardRoutes(app: App): void {
  app.register(async (scope) => uploadRoutes(scope as App))

  addRoute(app, importRoutes.beginImportUpload, ({ ctx, caller, params, query }) =>
    beginUpload(ctx, caller, { objectRef: params.objectId, fileName: fileNameOf(query) }),
  )

  addRoute(app, importRoutes.getImportUpload, ({ ctx, caller, params }) =>
    readUpload(ctx, caller, params.importId),
  )

  addRoute(
    app,
    { ...pastedCellRoutes.checkPastedCells, bodyLimit: BULK_BODY_BYTES_MAX },
    async ({ ctx, caller, params, body }, reply) => {
      const rows = await checkPastedCells(ctx, caller, params.objectId, body)
      return sendJson<CheckedCells>(reply, JSON.stringify({ rows }))
    },
  )

  addRoute(app, importRoutes.listImports, async ({ ctx, caller, params }) => ({
    imports: await listImports(ctx, caller, params.objectId),
    maxBytes: ctx.config.importMaxBytes,
  }))

  addRoute(app, importRoutes.getImport, ({ ctx, caller, params }) => getImport(ctx, caller, params.importId))

  addRoute(app, importRoutes.listColumnValues, ({ ctx, caller, params }) =>
    columnValues(ctx, caller, { ...params, index: Number(params.index) }),
  )

  addRoute(app, importRoutes.checkImport, ({ ctx, caller, params, body }) =>
    checkImport(ctx, caller, params.importId, body),
  )

  addRoute(app, { ...importRoutes.undoImport, wakes: 'events' }, async ({ ctx, caller, params }, reply) =>
    sendJson<UndoneBatch>(reply, JSON.stringify(await undoImport(ctx, caller, params.importId))),
  )

  addRoute(app, importRoutes.downloadFailedRows, async ({ ctx, caller, params }, reply) =>
    sendCsv(reply, await failedRows(ctx, caller, params.importId)),
  )

  addRoute(app, importRoutes.deleteImport, async ({ ctx, caller, params }) => ({
    id: await deleteImport(ctx, caller, params.importId),
    deleted: true as const,
  }))
}
