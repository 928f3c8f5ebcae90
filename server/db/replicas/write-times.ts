// Times after which a read must see everything that was committed until then: of the last write of each reader, and of
// the first arrival of each token that a reader has sent. A time is enough, since the first position that the primary is
// seen at after it (primary-history.ts) is behind the commit.

/** A UUID. Other texts are not remembered: callers choose their length. */
const TOKEN = /^[0-9a-f-]{36}$/

export const isToken = (text: string): boolean => TOKEN.test(text)

export class WriteTimes {
  readonly #keptMs: number
  /** Milliseconds that only increase; the oldest first. */
  readonly #times = new Map<string, number>()

  /** @param keptMs older writes are in every replica that is read */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** @param at not before that of any earlier call */
  set(key: string, at: number): void {
    this.#times.delete(key)
    this.#times.set(key, at)
  }

  of(key: string): number | undefined {
    return this.#times.get(key)
  }

  prune(now: number): void {
    for (const [key, at] of this.#times) {
      if (at >= now - this.#keptMs) return
      this.#times.delete(key)
    }
  }
}
