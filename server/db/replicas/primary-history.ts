// Records the log position of the primary over time. A standby that has replayed a position has all commits from before
// the primary was at that position. So the lag is measured with the clock of this process only, and an idle primary
// causes no lag.

interface Sample {
  /** When the query to the primary began, by a monotonic clock in milliseconds. */
  at: number
  /** Bytes of log since the server was initialized. */
  position: number
}

/** The least distance between samples that are kept. */
const INTERVAL_MS = 100

export class PrimaryHistory {
  readonly #keptMs: number
  /** Oldest first. */
  #samples: Sample[] = []

  /** @param keptMs the longest lag that can be measured */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** The last known position. */
  get position(): number {
    return this.#samples.at(-1)?.position ?? 0
  }

  add(sample: Sample): void {
    const last = this.#samples.at(-1)
    // After a failover the log of the new primary may be shorter: older samples are invalid.
    if (last && sample.position < last.position) this.#samples = []
    // The newest sample is always kept. It replaces the previous one if samples are too close.
    const before = this.#samples.at(-2)
    if (before && sample.at - before.at < INTERVAL_MS) this.#samples.pop()
    this.#samples.push(sample)
    const oldest = sample.at - this.#keptMs
    while (this.#samples.length > 1 && (this.#samples[1]?.at ?? 0) < oldest) this.#samples.shift()
  }

  /** @returns a position that includes all commits before `at`; undefined if no such position is known yet */
  positionAfter(at: number): number | undefined {
    return this.#samples[this.#samples.findLastIndex((sample) => sample.at < at) + 1]?.position
  }

  /** @returns the time before which all commits are within `position`; undefined if unknown */
  completeAt(position: number): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.at
  }
}
