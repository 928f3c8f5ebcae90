// The streams of one organization in this process, and how far they are in its events.
import type { Position } from '../events/clock.ts'
import type { LiveStream } from './stream.ts'

export class Channel {
  readonly org: number
  readonly streams = new Set<LiveStream>()
  /** Settles when `position` is there. */
  readonly started: Promise<void>
  /** Behind everything that was announced; another object whenever it moves. */
  position: Position | undefined

  /** @param start where it begins */
  constructor(org: number, start: Promise<Position>) {
    this.org = org
    this.started = start.then((position) => {
      this.position = position
    })
    // Those who wait for it hear of the error.
    this.started.catch(() => undefined)
  }

  send(text: string): void {
    for (const stream of this.streams) stream.send(text)
  }
}
