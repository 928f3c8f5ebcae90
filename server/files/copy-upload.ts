// Copies an upload to the disk: counts its bytes as they arrive, and keeps few of them in memory.
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { invalidField } from '../base/errors.ts'
import { HEAD_BYTES } from './content-type.ts'
import { giveBack } from './memory.ts'
import { fileTooLarge } from './service.ts'
import type { FileDraft } from './storage.ts'

export interface CopiedUpload {
  size: number
  /** The first bytes of the file, at most HEAD_BYTES. */
  head: Buffer
}

/** Bytes of one write. Larger writes are slower, because the bytes have then left the processor's cache. */
const WRITE_BYTES = 64 * 1024

/** Bytes of an upload that may wait for the disk. */
const WAITING_BYTES_MAX = 2 * WRITE_BYTES

/** The least memory that a piece is counted with: the smallest pieces need more memory than their bytes. */
const PIECE_BYTES_MIN = 512

const cut = () =>
  invalidField('', 'cut', 'The connection was closed before the file was complete: send it again')

/** Counts bytes that arrived. @throws if they are too many for the organization */
type Count = (bytes: number) => void

interface Bounds {
  bytesMax: number
  count: Count
}

interface Waiting {
  resolve(pieces: Buffer[]): void
  reject(why: unknown): void
}

/** Collects the pieces that arrive while the disk is busy. */
class Inflow {
  readonly copied: CopiedUpload = { size: 0, head: Buffer.alloc(0) }
  readonly #source: Readable
  readonly #bytesMax: number
  readonly #count: Count
  readonly #add = (piece: Buffer) => this.#take(piece)
  #pieces: Buffer[] = []
  /** Approximate memory of the pieces, in bytes. */
  #weight = 0
  #isWhole: boolean
  #failure: Error | undefined
  #waiting: Waiting | undefined

  constructor(source: Readable, { bytesMax, count }: Bounds) {
    this.#source = source
    this.#bytesMax = bytesMax
    this.#count = count
    this.#isWhole = source.readableEnded
    source.on('data', this.#add)
    source.on('end', () => {
      this.#isWhole = true
      this.#answer()
    })
    source.on('error', () => this.#fail(cut()))
    source.on('close', () => {
      if (!source.readableEnded) this.#fail(cut())
    })
    if (source.destroyed && !this.#isWhole) this.#fail(cut())
  }

  /** @returns at least WRITE_BYTES, less at the end, then nothing @throws 413, 400 if the source ends early */
  next(): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#answer()
    })
  }

  /** Stops reading, but does not destroy the source, so that a response can be sent. */
  stop(): void {
    this.#source.off('data', this.#add)
    this.#source.pause()
  }

  #take(piece: Buffer): void {
    const { copied } = this
    copied.size += piece.length
    if (copied.size > this.#bytesMax) this.#fail(fileTooLarge(this.#bytesMax))
    try {
      this.#count(piece.length)
    } catch (error) {
      this.#fail(error as Error)
    }
    if (copied.head.length < HEAD_BYTES)
      copied.head = Buffer.concat([copied.head, piece]).subarray(0, HEAD_BYTES)
    this.#pieces.push(piece)
    this.#weight += Math.max(piece.length, PIECE_BYTES_MIN)
    if (this.#weight >= WAITING_BYTES_MAX) this.#source.pause()
    this.#answer()
  }

  #fail(failure: Error): void {
    this.#failure ??= failure
    this.stop()
    this.#answer()
  }

  #answer(): void {
    if (!this.#waiting) return
    const { resolve, reject } = this.#waiting
    if (this.#failure) return void reject(this.#failure)
    if (!this.#isWhole && this.#weight < WRITE_BYTES) return
    this.#waiting = undefined
    resolve(this.#pieces)
    this.#pieces = []
    this.#weight = 0
    if (!this.#isWhole) this.#source.resume()
  }
}

/** Writes the whole source. @throws what `count` throws, 413, 400 validation_error if the source ends early, 503 */
export async function copyUpload(draft: FileDraft, source: Readable, bounds: Bounds): Promise<CopiedUpload> {
  // Written pieces from the network have no other user. Other sources may still use theirs.
  const isOurs = source instanceof IncomingMessage
  const inflow = new Inflow(source, bounds)
  try {
    for (let pieces = await inflow.next(); pieces.length > 0; pieces = await inflow.next()) {
      await draft.write(pieces)
      if (isOurs) pieces.forEach(giveBack)
    }
    await draft.finish()
    return inflow.copied
  } finally {
    inflow.stop()
  }
}
