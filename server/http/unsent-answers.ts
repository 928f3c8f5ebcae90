// Answers that clients have not taken yet are in memory: the bytes of large ones are counted until they are sent, and a
// client that takes nothing for a while is cut off.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError, attempt } from '../base/errors.ts'
import type { ByteBudget } from './byte-budget.ts'
import { byteOwnerOf } from './byte-owner.ts'
import type { App } from './request.ts'

/** The system's own buffers take smaller answers in nearly all cases. */
const SMALL_BYTES = 32 * 1024
/** Node looks once more after it, whether any byte was sent meanwhile. */
const STALL_MS = 10_000

/** Disconnects the client if it takes nothing. Node sets the time of a connection again with its next request. */
export function cutOffStalled({ socket }: ServerResponse, ms = STALL_MS): void {
  // A request that is injected, as tests do, has no connection.
  if (socket instanceof Socket) socket.setTimeout(ms)
}

/** Texts of one-byte characters are as long as their bytes, and others are counted only where they may be large. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * 3 < SMALL_BYTES ? 0 : Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}

/** What a write did is done: the client hears that it cannot know it, never that it may repeat it. */
function refusalOf(error: AppError, { scope }: FastifyRequest): AppError {
  return scope?.mayHaveCommitted ? new AppError('unavailable', error.message, error.details) : error
}

export function limitUnsentAnswers(app: App, budget: ByteBudget, stallMs = STALL_MS): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    if (bytes < SMALL_BYTES) return done(null, payload)
    const { raw } = reply
    // The client has left: nothing is sent, and no close follows that would give the bytes back.
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
