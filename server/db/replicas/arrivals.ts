// Organizations that are copied into this database by a move (server/cells/move). A replica may lack rows that were copied
// last, however long ago they were written: none is read for the organization until all that are read have them.

/** More than the time between two polls, and from the last of them until the move has switched. */
const SPARE_MS = 5000

export class Arrivals {
  readonly #select: () => Promise<readonly number[]>
  readonly #keptMs: number
  /** When each was last seen to be copied, in milliseconds that only increase. */
  readonly #seen = new Map<number, number>()

  /** @param select numbers of organizations that are being copied, from the primary @param lagMaxMs of replicas that are read */
  constructor(select: () => Promise<readonly number[]>, lagMaxMs: number) {
    this.#select = select
    this.#keptMs = lagMaxMs + SPARE_MS
  }

  async refresh(now: number): Promise<void> {
    for (const org of await this.#select()) this.#seen.set(org, now)
    for (const [org, at] of this.#seen) if (at < now - this.#keptMs) this.#seen.delete(org)
  }

  /** Whether a replica that is read may lack what was copied. */
  has(org: number): boolean {
    return this.#seen.has(org)
  }
}
