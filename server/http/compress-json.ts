// Answers to pages are sent compressed: a page of a table is 50 kB of JSON, a quarter of a second on a slow line.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { App } from './request.ts'

/** A smaller one fits into the packets that it is sent in anyway. */
const BYTES_MIN = 1400
/** The fastest: higher levels take twice the time for a tenth less. */
const LEVEL = 1

const compress = promisify(gzip)

/** For all routes of this scope. An answer with an ETag stays as it is: the tag stands for its bytes. */
export function compressJson(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < BYTES_MIN || reply.hasHeader('etag')) return payload
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return compress(payload, { level: LEVEL })
  })
}
