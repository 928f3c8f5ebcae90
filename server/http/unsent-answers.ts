// Responses that clients have not received yet are in memory. The bytes of large responses are counted until they are
// sent, and a client that reads nothing for some time is disconnected.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError, attempt } from '../base/errors.ts'
import type { ByteBudget } from './byte-budget.ts'
import { byteOwnerOf } from './byte-owner.ts'
import type { App } from './request.ts'

/** Smaller responses nearly always fit the buffers of the operating system. */
const SMALL_BYTES = 32 * 1024
/** After this time Node checks again whether any bytes were sent. */
const STALL_MS = 10_000

/** Disconnects the client if it reads nothing. Node resets this timeout with the next request of the connection. */
export function cutOffStalled({ socket }: ServerResponse, ms = STALL_MS): void {
  // Requests that tests inject have no connection.
  if (socket instanceof Socket) socket.setTimeout(ms)
}

/** Bytes of a payload; 0 for a text that is small even with three bytes per character. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * 3 < SMALL_BYTES ? 0 : Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}

/** After a possible commit the client gets 503 with an unknown outcome, since 429 would invite a retry. */
function refusalOf(error: AppError, { scope }: FastifyRequest): AppError {
  return scope?.mayHaveCommitted ? new AppError('unavailable', error.message, error.details) : error
}

export function limitUnsentAnswers(app: App, budget: ByteBudget, stallMs = STALL_MS): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    if (bytes < SMALL_BYTES) return done(null, payload)
    const { raw } = reply
    // The client has disconnected: nothing is sent, and no `close` event follows that would release the bytes.
    if (raw.destroyed) return done(null, payload)
    const hold = budget.open(byteOwnerOf(request))
    const refused = attempt(() => hold.grow(bytes))
    if (refused) {
      for (const name of ['etag', 'content-encoding']) reply.removeHeader(name)
      return done(refusalOf(refused, request))
    }
    hold.giveWay(() => raw.destroy())
    raw.once('close', () => hold.release())
    cutOffStalled(raw, stallMs)
    done(null, payload)
  })
}
