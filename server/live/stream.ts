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
  /** The address or network of the browser. */
  client: string
}

/** How long a client may take to read that the stream ends. */
const FAREWELL_MS = 1000

/** A client that leaves more than this unread is disconnected; it reconnects and continues. */
const WAITING_BYTES_MAX = 64 * 1024

let made = 0

export class LiveStream extends Readable {
  /** Of the process: one after the other. */
  readonly nr: number = made++
  readonly owner: StreamOwner
  /** Whether it was closed because its client reads too slowly. */
  wasSlow = false
  #isStarted = false
  #isFinished = false

  constructor(owner: StreamOwner) {
    super({ highWaterMark: WAITING_BYTES_MAX })
    this.owner = owner
  }

  override _read(): void {
    // The stream is written to on events, not when the client has room.
  }

  /** The first text, sent immediately: the browser then regards the stream as open. */
  start(text: string): void {
    this.#isStarted = true
    this.#write(text)
  }

  /** Sends nothing before the start: earlier events are part of the first text. @returns whether it was sent */
  send(text: string): boolean {
    if (this.#isStarted) this.#write(text)
    return this.#isStarted
  }

  finish(reason: LiveMessages['end']['reason']): void {
    this.#write(messageText('end', { reason }))
    this.#isFinished = true
    if (!this.destroyed) this.push(null)
  }

  /** Ends it for the stream of another: the browser connects again, and polls where there is no room. */
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
