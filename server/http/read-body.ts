// Reads a body into one text, up to the size limit of the route. Bytes are counted before they are stored.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../base/errors.ts'
import type { ByteHold } from './byte-budget.ts'

/** The first allocation for a body. It does not depend on the declared length, which a client may never send. */
const CHUNK_BYTES = 64 * 1024

const sizeOf = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

const tooLarge = (limit: number) =>
  new AppError(
    'payload_too_large',
    `The body is larger than ${sizeOf(limit)}, the limit of this route: send less in one request`,
    { limitBytes: limit },
  )

const wrongLength = () =>
  invalidField(
    '',
    'content_length',
    'The length of the body does not match Content-Length: send as many bytes as it says',
  )

const RETRY_AFTER_SECONDS = 2

const gaveWay = () =>
  new AppError(
    'unavailable',
    'The request bodies of all clients in progress have reached the limit, and this one arrived more slowly than others: send it again, and faster',
    { retryAfter: RETRY_AFTER_SECONDS, bound: 'BODY_BYTES' },
  )

const cutShort = () =>
  invalidField(
    '',
    'aborted',
    'The connection was closed before the body was complete: send the request again',
  )

/**
 * Bytes in one buffer. A list of chunks would cost hundreds of bytes per chunk, and clients can send chunks of one
 * byte.
 */
class Collected {
  #bytes: Buffer
  #length = 0
  readonly #limit: number
  /** The largest possible size of the buffer. */
  readonly #sizeMax: number
  readonly #hold: ByteHold

  constructor(declared: number | undefined, limit: number, hold: ByteHold) {
    this.#limit = limit
    this.#sizeMax = declared ?? limit
    this.#hold = hold
    if (this.#sizeMax > limit) throw tooLarge(limit)
    const size = Math.min(CHUNK_BYTES, this.#sizeMax)
    hold.grow(size)
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length
    if (length > this.#limit) throw tooLarge(this.#limit)
    if (length > this.#bytes.length) this.#enlarge(length)
    chunk.copy(this.#bytes, this.#length)
    this.#length = length
  }

  #enlarge(length: number): void {
    const size = Math.max(length, Math.min(this.#sizeMax, this.#bytes.length * 2))
    this.#hold.grow(size - this.#bytes.length)
    const larger = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#length)
  }
}

function declaredLength({ headers }: FastifyRequest): number | undefined {
  const header = headers['content-length']
  return header === undefined ? undefined : Number(header)
}

/**
 * @throws 413 payload_too_large; 429 or 503 above a limit of the body budget; 400 if the length differs from the
 * declared one. The rest of a refused body is read and dropped, so that the client gets the response.
 */
export function readBody(request: FastifyRequest, payload: Readable, hold: ByteHold): Promise<string> {
  const declared = declaredLength(request)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const refuse = (error: unknown) => {
    hold.giveWay(undefined)
    payload.removeAllListeners('data')
    payload.resume()
    reject(error)
  }
  const leave = () => refuse(cutShort())
  // The events of a client that disconnected earlier have already been emitted.
  if (payload.destroyed) leave()
  payload.on('error', leave)
  payload.on('close', leave)
  try {
    const collected = new Collected(declared, request.routeOptions.bodyLimit, hold)
    payload.on('data', (chunk: Buffer) => {
      try {
        collected.add(chunk)
      } catch (error) {
        refuse(error)
      }
    })
    hold.giveWay(() => refuse(gaveWay()))
    payload.on('end', () => {
      // Each body emits `close` after its end, and creating an error with its stack takes 70 microseconds.
      payload.off('close', leave)
      hold.giveWay(undefined)
      if (declared !== undefined && collected.length !== declared) reject(wrongLength())
      else resolve(collected.text())
    })
  } catch (error) {
    refuse(error)
  }
  return promise
}

/** Whether the body has no bytes. The body is read and dropped. */
export function isEmptyBody(payload: Readable): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  payload.once('data', () => resolve(false))
  payload.once('end', () => resolve(true))
  payload.once('error', () => resolve(true))
  payload.once('close', () => resolve(true))
  if (payload.destroyed) resolve(true)
  payload.resume()
  return promise
}
