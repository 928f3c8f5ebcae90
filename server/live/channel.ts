// The streams of one organization in this process, and their position in its events.
import type { ConsumerPosition } from '../events/clock.ts'
import type { LiveStream } from './stream.ts'

export class Channel {
  readonly org: number
  readonly streams = new Set<LiveStream>()
  /** Resolves when `position` is known. */
  readonly started: Promise<void>
  /** The position after all announced events; a new object after each change. */
  position: ConsumerPosition | undefined

  /** @param start the first position */
  constructor(org: number, start: Promise<ConsumerPosition>) {
    this.org = org
    this.started = start.then((position) => {
      this.position = position
    })
    // Callers that wait for `started` get the error.
    this.started.catch(() => undefined)
  }

  send(text: string): void {
    for (const stream of this.streams) stream.send(text)
  }
}
