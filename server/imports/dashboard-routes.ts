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
import { uploadFile } from './upload.ts'

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

/** The handler reads the body as a stream. */
function uploadRoute(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new AppError('unsupported_media_type', 'Send the file as it is, with Content-Type: text/csv')),
  )
  addRoute(
    app,
    {
      ...importRoutes.uploadImport,
      slowBody: true,
      // The parser above ignores the limit: the size is checked while the file is stored.
      bodyLimit: Number.MAX_SAFE_INTEGER,
    },
    async ({ ctx, caller, params, query, body }) => {
      const fileName = query.fileName?.trim() ?? 'import.csv'
      const id = await readingAll(body as Readable | undefined, (source) =>
        uploadFile(ctx, caller, params.objectId, { fileName, source }),
      )
      return getImport(ctx, caller, id)
    },
  )
}

export function addImportDashboardRoutes(app: App): void {
  app.register(async (scope) => uploadRoute(scope as App))

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
