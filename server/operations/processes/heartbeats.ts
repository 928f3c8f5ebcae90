// Which processes hang: each says every second that its event loop runs.

export const BEAT_MS = 1000
/** A process that is silent for longer is killed and replaced. No work of the service blocks the event loop for so long. */
export const HUNG_MS = 30_000
/** Between two looks; this process was itself held up when there is much more. */
const LOOK_LATE_MS = 5 * BEAT_MS

export class Heartbeats<Key> {
  readonly #now: () => number
  readonly #heard = new Map<Key, number>()
  #lookedAt: number

  /** @param now milliseconds that only increase */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#lookedAt = now()
  }

  /** From the first one on the process has to go on. */
  beat(key: Key): void {
    this.#heard.set(key, this.#now())
  }

  forget(key: Key): void {
    this.#heard.delete(key)
  }

  /** How long ago it was last heard; undefined before its first beat. */
  silenceOf(key: Key): number | undefined {
    const heard = this.#heard.get(key)
    return heard === undefined ? undefined : this.#now() - heard
  }

  /** To be called every BEAT_MS. @returns the processes that hang */
  look(): Key[] {
    const now = this.#now()
    const passed = now - this.#lookedAt
    this.#lookedAt = now
    // A machine that was suspended, or too busy for this process, was so for the others too: that time does not count.
    if (passed > LOOK_LATE_MS) for (const [key, heard] of this.#heard) this.#heard.set(key, heard + passed)
    return [...this.#heard].filter(([, heard]) => now - heard > HUNG_MS).map(([key]) => key)
  }
}
