// Pages and answers to them are sent compressed: a page of a table is 50 kB of JSON, a quarter of a second on a slow
// line.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './request.ts'

/** A smaller one fits into the packets that it is sent in anyway. */
const BYTES_MIN = 1400
/** The fastest: higher levels take twice the time for a tenth less. */
const LEVEL = 1

const compress = promisify(gzip)

/** @returns the payload as it is sent, with its headers set; a small one, or for those who do not take it, as it is */
export async function compressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): Promise<string | Buffer> {
  if (payload.length < BYTES_MIN) return payload
  reply.header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return payload
  reply.header('content-encoding', 'gzip').removeHeader('content-length')
  return compress(payload, { level: LEVEL })
}

/** For all routes of this scope. An answer with an ETag stays as it is: the tag stands for its bytes. */
export function compressJson(app: App): void {
  app.addHook('onSend', async (request, reply, payload) =>
    typeof payload === 'string' && !reply.hasHeader('etag') ? compressed(request, reply, payload) : payload,
  )
}
