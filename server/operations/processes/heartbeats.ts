// Detects processes that hang. Each process sends a beat every second from its event loop.

export const BEAT_MS = 1000
/** A process without a beat for longer is killed and replaced. No work of the service blocks the event loop so long. */
export const HUNG_MS = 30_000
/** Between two looks. If it took much longer, this process itself was delayed. */
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

  /** After its first beat, a process must send more. */
  beat(key: Key): void {
    this.#heard.set(key, this.#now())
  }

  forget(key: Key): void {
    this.#heard.delete(key)
  }

  /** Time since the last beat, in ms; undefined before the first beat. */
  silenceOf(key: Key): number | undefined {
    const heard = this.#heard.get(key)
    return heard === undefined ? undefined : this.#now() - heard
  }

  /** To be called every BEAT_MS. @returns the processes that hang */
  look(): Key[] {
    const now = this.#now()
    const passed = now - this.#lookedAt
    this.#lookedAt = now
    // After a suspension or overload of the machine, the other processes were delayed too: that time does not count.
    if (passed > LOOK_LATE_MS) for (const [key, heard] of this.#heard) this.#heard.set(key, heard + passed)
    return [...this.#heard].filter(([, heard]) => now - heard > HUNG_MS).map(([key]) => key)
  }
}
