// One open stream: what is written to it waits here until the connection takes it.
import { Readable } from 'node:stream'
import type { LiveMessages } from '../../contract/live.ts'
import { messageText } from './message.ts'

export interface StreamOwner {
  /** Internal number of the organization. */
  org: number
  userId: string
  sessionId: string
}

/** A client that leaves more than this unread is cut off; it connects again and goes on where it was. */
const WAITING_BYTES_MAX = 64 * 1024

export class LiveStream extends Readable {
  readonly owner: StreamOwner
  /** Whether it was cut off since its client reads too slowly. */
  wasSlow = false
  #isStarted = false
  #isFinished = false

  constructor(owner: StreamOwner) {
    super({ highWaterMark: WAITING_BYTES_MAX })
    this.owner = owner
  }

  override _read(): void {
    // Written when something happened, not when the client has room.
  }

  /** The first text, at once: the browser takes the stream as open with it. */
  start(text: string): void {
    this.#isStarted = true
    this.#write(text)
  }

  /** Nothing before it is started: what happens until then is part of its first text. */
  send(text: string): void {
    if (this.#isStarted) this.#write(text)
  }

  finish(reason: LiveMessages['end']['reason']): void {
    this.#write(messageText('end', { reason }))
    this.#isFinished = true
    if (!this.destroyed) this.push(null)
  }

  #write(text: string): void {
    if (this.destroyed || this.#isFinished) return
    this.push(text)
    if (this.readableLength <= WAITING_BYTES_MAX) return
    this.wasSlow = true
    this.destroy()
  }
}
