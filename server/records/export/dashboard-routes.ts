// Exports the records of a view as a file.
import type { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { exportRoutes } from '../../../contract/exports.ts'
import type { Caller } from '../../base/caller.ts'
import { addRoute } from '../../http/add-route.ts'
import { sendCsv } from '../../http/attachment.ts'
import type { App } from '../../http/request.ts'
import type { RecordExportContext } from './context.ts'
import { takeSlot } from './export-pool.ts'
import { type MinRateStream, openMinRateStream, SlowReaderError } from './min-rate-stream.ts'
import { exportView, type ViewExport } from './view.ts'

interface Started extends Pick<ViewExport, 'objectRef' | 'body'> {
  paced: MinRateStream
}

/** Starts the export. Resolves when its first text is available, and rejects if the export fails before. */
function startExport(
  ctx: RecordExportContext,
  caller: Caller,
  { objectRef, body, paced }: Started,
): Promise<PassThrough> {
  const { stream, signal } = paced
  const { promise, resolve, reject } = Promise.withResolvers<PassThrough>()
  const write = (text: string) => {
    resolve(stream)
    return paced.write(text)
  }
  exportView(ctx, caller, { objectRef, body, write, signal }).then(
    () => stream.end(),
    (error: Error) => {
      if (error instanceof SlowReaderError)
        ctx.log.warn(
          { org: caller.orgId, object: objectRef, reason: error.message },
          'an export was interrupted',
        )
      reject(error)
      stream.destroy(error)
    },
  )
  return promise
}

/** A stream to the client that ends with the response, complete or not. */
function openAnswer(ctx: RecordExportContext, { raw }: FastifyReply): MinRateStream {
  const paced = openMinRateStream(ctx.exports)
  raw.once('close', () => paced.stream.destroy())
  return paced
}

export function addExportDashboardRoutes(app: App): void {
  addRoute(app, exportRoutes.exportRecords, async ({ ctx, caller, params, body }, reply) => {
    const paced = openAnswer(ctx, reply)
    const release = await takeSlot(ctx.exports, caller.org, paced)
    try {
      const texts = await startExport(ctx, caller, { ...params, objectRef: params.objectId, body, paced })
      return sendCsv(reply, { fileName: body.fileName ?? `${params.objectId}.csv`, texts })
    } catch (error) {
      release()
      throw error
    }
  })
}
