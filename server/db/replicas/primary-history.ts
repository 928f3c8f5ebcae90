// How far the primary had written its log at which time. A standby that has replayed a position lacks nothing of what was
// committed before the primary was there. So its lag is measured by one clock, that of this process, and a primary on
// which nothing happens makes no lag.

interface Sample {
  /** Milliseconds that only increase, before the primary was asked. */
  at: number
  /** Bytes of log since the beginning of the server. */
  position: number
}

/** Samples that are kept are at least this far apart. */
const INTERVAL_MS = 100

export class PrimaryHistory {
  readonly #keptMs: number
  /** Oldest first. */
  #samples: Sample[] = []

  /** @param keptMs a longer lag is unknown */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** The last known position. */
  get position(): number {
    return this.#samples.at(-1)?.position ?? 0
  }

  add(sample: Sample): void {
    const last = this.#samples.at(-1)
    // After a failover the log of the new primary may be shorter: what was known before says nothing of it.
    if (last && sample.position < last.position) this.#samples = []
    // The newest is always kept, in place of the one before it where there are many.
    const before = this.#samples.at(-2)
    if (before && sample.at - before.at < INTERVAL_MS) this.#samples.pop()
    this.#samples.push(sample)
    const oldest = sample.at - this.#keptMs
    while (this.#samples.length > 1 && (this.#samples[1]?.at ?? 0) < oldest) this.#samples.shift()
  }

  /** @returns a position behind everything that was committed before `at`; undefined where none is known yet */
  positionAfter(at: number): number | undefined {
    return this.#samples[this.#samples.findLastIndex((sample) => sample.at < at) + 1]?.position
  }

  /** @returns since when a standby that has replayed `position` may lack commits; undefined where that is unknown */
  completeAt(position: number): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.at
  }
}
