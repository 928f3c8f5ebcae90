// One open stream, with a buffer for text that the connection has not taken yet.
import { Readable } from 'node:stream'
import type { LiveMessages } from '../../contract/live.ts'
import { messageText } from './message.ts'

export interface StreamOwner {
  /** Internal number of the organization. */
  org: number
  userId: string
  sessionId: string
  /** Whether the user has confirmed the email address. */
  isVerified: boolean
  /** The IP address or network of the browser. */
  client: string
}

/** How long a client may take to read the last message of an ended stream. */
const FAREWELL_MS = 1000

/** A client that leaves more than this unread is disconnected; it reconnects and continues. */
const WAITING_BYTES_MAX = 64 * 1024

let made = 0

export class LiveStream extends Readable {
  /** A sequence number in the process. */
  readonly nr: number = made++
  readonly owner: StreamOwner
  /** Whether the stream was closed because its client reads too slowly. */
  wasSlow = false
  #isStarted = false
  #isFinished = false

  constructor(owner: StreamOwner) {
    super({ highWaterMark: WAITING_BYTES_MAX })
    this.owner = owner
  }

  override _read(): void {
    // Events write to the stream, so nothing is done when the client is ready to read.
  }

  /** Sends the first text. The browser then considers the stream open. */
  start(text: string): void {
    this.#isStarted = true
    this.#write(text)
  }

  /** Sends nothing before the start, because earlier events are in the first text. @returns whether it was sent */
  send(text: string): boolean {
    if (this.#isStarted) this.#write(text)
    return this.#isStarted
  }

  finish(reason: LiveMessages['end']['reason']): void {
    this.#write(messageText('end', { reason }))
    this.#isFinished = true
    if (!this.destroyed) this.push(null)
  }

  /** Ends the stream, so that another one gets its place. The browser reconnects, and polls if there is no place. */
  giveWay(): void {
    this.finish('closing')
    setTimeout(() => this.destroy(), FAREWELL_MS).unref()
  }

  #write(text: string): void {
    if (this.destroyed || this.#isFinished) return
    this.push(text)
    if (this.readableLength <= WAITING_BYTES_MAX) return
    this.wasSlow = true
    this.destroy()
  }
}
