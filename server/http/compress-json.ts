// Compresses responses for clients that accept it: a page of a table is 50 kB of JSON, a quarter of a second on a slow
// connection.
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingOf } from './content-coding.ts'
import { DOCUMENT_PATH } from './openapi.ts'
import type { App } from './request.ts'

/** A smaller response fits into one packet anyway. */
const BYTES_MIN = 1024
/** Compressing a smaller response takes at most 0.15 ms; passing it to another thread costs a third of that. */
const ASYNC_BYTES_MIN = 64 * 1024
/** The fastest useful levels: 18 kB in 0.03 to 0.05 ms. Higher levels take twice the time to save a tenth more. */
const GZIP = { level: 1 }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

interface Packer {
  now(text: string): Buffer
  later(text: string): Promise<Buffer>
}

const [gzipLater, brotliLater, zstdLater] = [
  promisify(gzip),
  promisify(brotliCompress),
  promisify(zstdCompress),
]

const PACKERS: Readonly<Record<Coding, Packer>> = {
  gzip: { now: (text) => gzipSync(text, GZIP), later: (text) => gzipLater(text, GZIP) },
  br: { now: (text) => brotliCompressSync(text, BROTLI), later: (text) => brotliLater(text, BROTLI) },
  zstd: { now: (text) => zstdCompressSync(text, ZSTD), later: (text) => zstdLater(text, ZSTD) },
}

/** A strong ETag identifies the bytes of one coding, so it is made weak. If-Match accepts the weak ETag too. */
function weaken(reply: FastifyReply): void {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
}

/** Sets the headers. @returns the compressed payload; unchanged if it is small or the client accepts no coding */
export function compressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): string | Buffer | Promise<Buffer> {
  if (payload.length < BYTES_MIN) return payload
  reply.header('vary', 'accept-encoding')
  const coding = codingOf(headers['accept-encoding'])
  if (coding === undefined) return payload
  weaken(reply)
  reply.header('content-encoding', coding).removeHeader('content-length')
  const packer = PACKERS[coding]
  return payload.length < ASYNC_BYTES_MIN ? packer.now(payload) : packer.later(payload)
}

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')

/**
 * The length of a compressed response reveals information about a secret in it to clients that control other parts of
 * it. Without an authenticated caller a response may be about passwords and sessions.
 */
const mayShowSecrets = ({ caller, routeOptions: { config, url } }: FastifyRequest) =>
  caller === undefined ? url !== DOCUMENT_PATH : (config?.answersSecrets ?? false)

/** Call it before limitUnsentAnswers, which counts the bytes that are sent. */
export function compressJson(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < BYTES_MIN) return done(null, payload)
    if (mayShowSecrets(request) || !isJson(reply)) return done(null, payload)
    const sent = compressed(request, reply, payload)
    if (!(sent instanceof Promise)) return done(null, sent)
    sent.then((bytes) => done(null, bytes), done)
  })
}
