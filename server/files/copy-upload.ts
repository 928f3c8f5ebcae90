// Copies an upload to the disk: counts its bytes as they arrive, and holds few of them in memory.
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { invalidField } from '../base/errors.ts'
import { HEAD_BYTES } from './content-type.ts'
import { giveBack } from './memory.ts'
import { fileTooLarge } from './service.ts'
import type { FileDraft } from './storage.ts'

export interface CopiedUpload {
  size: number
  /** The first of its bytes. */
  head: Buffer
}

/** Bytes of one write. Larger writes are fewer, and slower: the bytes have left the processor's cache by then. */
const WRITE_BYTES = 64 * 1024

/** Bytes of an upload that may wait for the disk. */
const WAITING_BYTES_MAX = 2 * WRITE_BYTES

/** Memory of a piece in addition to its bytes: more than the bytes of the smallest pieces. */
const PIECE_BYTES_MIN = 512

const cut = () =>
  invalidField('', 'cut', 'The connection was closed before the file was complete: send it again')

/** Hears how many bytes came. @throws when they are too many for the organization */
type Count = (bytes: number) => void

interface Bounds {
  bytesMax: number
  count: Count
}

interface Waiting {
  resolve(pieces: Buffer[]): void
  reject(why: unknown): void
}

/** What comes while the disk is busy. */
class Inflow {
  readonly copied: CopiedUpload = { size: 0, head: Buffer.alloc(0) }
  readonly #source: Readable
  readonly #bytesMax: number
  readonly #count: Count
  readonly #add = (piece: Buffer) => this.#take(piece)
  #pieces: Buffer[] = []
  /** What the pieces take up in memory, roughly. */
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

  /** @returns what has come once it is worth a write, nothing at the end @throws 413, 400 when the source breaks off */
  next(): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#answer()
    })
  }

  /** Leaves the source as it is, so that an answer can be sent over it. */
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

/** Writes all of the source. @throws what `count` throws, 413, 400 validation_error when it breaks off, 503 */
export async function copyUpload(draft: FileDraft, source: Readable, bounds: Bounds): Promise<CopiedUpload> {
  // Pieces from the network are free once they are written; others may still be held by their sender.
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
