// The addresses of uploads: a signed address to put a file to, and a public address to read it at. Neither requires an
// API key or a sign-in: every client with the address may use it.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { fileAddressRoutes } from '../../../contract/files.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { addRoute } from '../../http/add-route.ts'
import { beginRequest, type RequestContext } from '../../http/begin.ts'
import { listMethods } from '../../http/methods.ts'
import { renderError } from '../../http/render-errors.ts'
import type { App } from '../../http/request.ts'
import { refuseUnknownParameters } from '../../http/unknown-names.ts'
import { answerOf, getPublicFile, openFile, sendPieces } from '../serve.ts'
import { receiveUpload } from '../upload.ts'
import { allowAllOrigins, preflightRoute } from './cors.ts'

/** Limit for the rest of a refused body. The connection of a client that sends more is closed. */
const DRAIN_BYTES_MAX = 64 * 1024 * 1024

/** Reads a refused body to its end, up to a limit: a client that is still sending would not see the response. */
function drain(body: Readable | undefined): void {
  if (!body || body.readableEnded || body.destroyed) return
  let left = DRAIN_BYTES_MAX
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.destroy()
  })
  body.on('error', () => undefined)
  body.resume()
}

const lengthOf = (header: string | undefined) => (header === undefined ? undefined : Number(header))

function uploadRoute(app: App): void {
  app.removeAllContentTypeParsers()
  // The handler reads the body as a stream.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  addRoute(
    app,
    {
      ...fileAddressRoutes.uploadFile,
      slowBody: true,
      wakes: 'none',
      // The parser above ignores the limit: the size is counted while the file is stored.
      bodyLimit: Number.MAX_SAFE_INTEGER,
    },
    async ({ ctx, params, query, headers, body: parsed }) => {
      const body = parsed as Readable | undefined
      const { contentType, size, ...rest } = query
      const incoming = {
        contentType: headers['content-type'],
        contentEncoding: headers['content-encoding'],
        contentLength: lengthOf(headers['content-length']),
        source: body ?? Readable.from([]),
      }
      try {
        const cell = ctx.inCell(await ctx.cells.cellOfOrganization(params.organizationId))
        return await receiveUpload(cell, { ...params, ...rest, contentType, size }, incoming)
      } finally {
        drain(body)
      }
    },
  )
}

function publicRoute(app: App): void {
  app.route<{ Params: { token: string; name: string } }>({
    url: '/:token/:name',
    method: ['GET', 'HEAD'],
    async handler({ ctx: entrance, params, headers, method }, reply) {
      const ctx = entrance.inCell(await entrance.cells.cellOfToken(params.token))
      const file = await getPublicFile(ctx, params)
      const answer = answerOf(file, {
        range: headers.range,
        ifRange: headers['if-range'] as string | undefined,
        ifNoneMatch: headers['if-none-match'],
      })
      reply.code(answer.status).headers({ ...answer.headers })
      const hasBody = method === 'GET' && answer.status !== 304
      if (!hasBody) return reply.send()
      const body = await openFile(ctx, file, answer.range)
      if (ctx.files.kind !== 'disk') return reply.send(body)
      reply.hijack()
      reply.raw.writeHead(answer.status, reply.getHeaders() as OutgoingHttpHeaders)
      sendPieces(body, reply.raw, (err) =>
        ctx.log.error({ err, file: file.id }, 'a download was interrupted'),
      )
      return reply
    },
  })
}

/** Replaces Fastify's message about an unsupported Content-Type, which is about JSON. */
const toFileError = (error: FastifyError | AppError) =>
  error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? new AppError('unsupported_media_type', 'Send the file with its Content-Type, such as image/png')
    : error

function renderFileError(
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error = toFileError(thrown)
  if (error instanceof AppError && error.code === 'range_not_satisfiable')
    reply.header('content-range', `bytes */${error.details?.['size']}`)
  renderError(error, request, reply)
}

export function fileAddresses(app: App, ctx: RequestContext): void {
  const methods = listMethods(app)
  app.addHook('onRoute', refuseUnknownParameters)
  app.addHook('onRequest', beginRequest(ctx, 'files'))
  app.setErrorHandler(renderFileError)
  allowAllOrigins(app)
  app.register(async (scope) => uploadRoute(scope as App))
  preflightRoute(app, '/upload/:organizationId/:fileId', 'PUT, OPTIONS')
  publicRoute(app)
  preflightRoute(app, '/:token/:name', 'GET, HEAD, OPTIONS')
  app.after(() => methods.refuseOthers())
  app.setNotFoundHandler(() => {
    throw notFound('address', 'check it for typing errors')
  })
}
