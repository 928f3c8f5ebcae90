// Tracks organizations that a move copies into this database (server/cells/move). A replica may lack the last copied
// rows, also rows that were written long ago. So no replica is read for such an organization until all replicas in use
// have these rows.

/** Longer than the time between two polls, and than the time from the last poll to the end of the move. */
const SPARE_MS = 5000

export class Arrivals {
  readonly #select: () => Promise<readonly number[]>
  readonly #keptMs: number
  /** When each organization was last found in copying, by a monotonic clock in milliseconds. */
  readonly #seen = new Map<number, number>()

  /** @param select reads from the primary which organizations are being copied @param lagMaxMs of replicas in use */
  constructor(select: () => Promise<readonly number[]>, lagMaxMs: number) {
    this.#select = select
    this.#keptMs = lagMaxMs + SPARE_MS
  }

  async refresh(now: number): Promise<void> {
    for (const org of await this.#select()) this.#seen.set(org, now)
    for (const [org, at] of this.#seen) if (at < now - this.#keptMs) this.#seen.delete(org)
  }

  /** Whether a replica in use may lack copied rows of the organization. */
  has(org: number): boolean {
    return this.#seen.has(org)
  }
}
