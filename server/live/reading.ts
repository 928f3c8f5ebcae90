// Which organizations a round reads: those that this process has just written to, and several times a second all of
// them, unless the database has committed nothing since.
import type { Db } from '../db/pool.ts'
import { readFeedClock } from './store.ts'

/** An event may wait for the end of an older transaction. */
const WRITTEN_MS = 2000
const ALL_APART_MS = 250
/** Reading all organizations takes at most one part of the time in this number of parts. */
const SHARE = 10

/** What one round reads. */
export interface Selection {
  has(org: number): boolean
  /** To be called when it has been read. @param isComplete whether nothing of it is left for the next round */
  finish(isComplete: boolean): void
}

const NOTHING: Selection = { has: () => false, finish: () => undefined }

export class LiveReading {
  /** Until when they are read in every round. */
  readonly #written = new Map<number, number>()
  /** Everything before it has been read; undefined when that is not known. */
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
