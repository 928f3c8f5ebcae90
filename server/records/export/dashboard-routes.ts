// The records of a view as a file.
import { PassThrough } from 'node:stream'
import { Type } from 'typebox'
import { ExportBody } from '../../../contract/exports.ts'
import type { Caller, Context } from '../../context.ts'
import { unavailable } from '../../errors.ts'
import { sendCsv } from '../../http/attachment.ts'
import type { App } from '../../http/request.ts'
import { exportView, type ViewExport } from './view.ts'

interface Started extends Pick<ViewExport, 'objectRef' | 'body'> {
  onEnd: () => void
}

/** Begins the export; settles when its first text is there, or with the reason why none ever will be. */
function startExport(
  ctx: Context,
  caller: Caller,
  { objectRef, body, onEnd }: Started,
): Promise<PassThrough> {
  const { promise, resolve, reject } = Promise.withResolvers<PassThrough>()
  const stream = new PassThrough()
  // Told by `promise` before the first text, and by a file cut short after it.
  stream.on('error', () => undefined)
  const gone = new AbortController()
  stream.on('close', () => gone.abort(new Error('the reader has gone')))
  const write = async (text: string) => {
    resolve(stream)
    if (!stream.write(text)) await drained(stream, gone.signal)
  }
  exportView(ctx, caller, { objectRef, body, write, signal: gone.signal })
    .then(
      () => stream.end(),
      (error: Error) => {
        reject(error)
        stream.destroy(error)
      },
    )
    .finally(onEnd)
  return promise
}

function drained(stream: PassThrough, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  stream.once('drain', () => {
    signal.removeEventListener('abort', stop)
    resolve()
  })
  return promise
}

/** Each holds a connection to the database for as long as its reader takes. */
const AT_ONCE = 4

export function exportDashboardRoutes(app: App): void {
  let running = 0
  app.post(
    '/objects/:objectId/records/export',
    {
      config: { scope: 'records:read' },
      schema: { params: Type.Object({ objectId: Type.String() }), body: ExportBody },
    },
    async ({ ctx, caller, params, body }, reply) => {
      if (running === AT_ONCE) throw unavailable('Too many exports are running: try again shortly')
      running++
      const onEnd = () => void running--
      const texts = await startExport(ctx, caller, { objectRef: params.objectId, body, onEnd })
      return sendCsv(reply, { fileName: body.fileName ?? `${params.objectId}.csv`, texts })
    },
  )
}
