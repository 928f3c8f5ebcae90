// Selects the organizations that a round reads: those that this process has just written to, and several times a second
// all of them, unless the database has committed nothing since.
import type { Db } from '../db/pool.ts'
import { readFeedClock } from './store.ts'

/** An event may wait for the end of an older transaction. */
const WRITTEN_MS = 2000
const ALL_APART_MS = 250
/** Reading all organizations may take at most 1/10 of the time. */
const SHARE = 10

/** The organizations that one round reads. */
export interface Selection {
  has(org: number): boolean
  /** Must be called after the read. @param isComplete whether no events are left for the next round */
  finish(isComplete: boolean): void
}

const NOTHING: Selection = { has: () => false, finish: () => undefined }

export class LiveReading {
  /** By organization: the time until which every round reads it. */
  readonly #written = new Map<number, number>()
  /** All events before this position have been read; undefined if unknown. */
  #readUpTo: string | undefined
  #allAt = Number.NEGATIVE_INFINITY
  #allTookMs = 0

  noteWrite(org: number): void {
    this.#written.set(org, performance.now() + WRITTEN_MS)
  }

  async select(db: Db): Promise<Selection> {
    const at = performance.now()
    if (at - this.#allAt >= Math.max(ALL_APART_MS, SHARE * this.#allTookMs)) return this.#selectAll(db)
    for (const [org, until] of this.#written) if (until < at) this.#written.delete(org)
    return this.#written.size === 0 ? NOTHING : { ...NOTHING, has: (org) => this.#written.has(org) }
  }

  async #selectAll(db: Db): Promise<Selection> {
    this.#allAt = performance.now()
    const { end, horizon } = await readFeedClock(db)
    if (end === this.#readUpTo) return NOTHING
    const finish = (isComplete: boolean) => {
      this.#allTookMs = performance.now() - this.#allAt
      this.#readUpTo = isComplete ? horizon : undefined
    }
    return { has: () => true, finish }
  }
}
