// Records that a request creates because its references name them by a value that no record has.
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { claimUniques } from './claims.ts'
import { insertRecords } from './insert-store.ts'
import { type RecordDraft, targetKey, targetsOf } from './store.ts'

interface Pending {
  target: ObjectModel
  draft: RecordDraft
}

/** Writes the records with their unique values. @throws StaleModel if another writer has taken one of the values */
async function insertPending(tx: Db, author: Caller, pending: readonly Pending[]): Promise<void> {
  const byTarget = Map.groupBy(pending, ({ target }) => target)
  for (const [target, some] of [...byTarget].toSorted(([a], [b]) => a.obj - b.obj)) {
    const drafts = some.map(({ draft }) => draft)
    const { lost } = await claimUniques(tx, target.org, drafts)
    // The whole request is repeated, and then finds the record of the other writer.
    if (lost.size > 0) throw new StaleModel()
    const inserted = await insertRecords(
      tx,
      author,
      target,
      drafts.map((draft) => ({ ...draft, uniques: [] })),
    )
    if (typeof inserted !== 'number')
      throw new Error('A record that is created by its value refers to others')
  }
}

/** Each record gets its id at the lookup, so that rows that refer to it can be checked before it is created. */
export class PendingTargets {
  readonly #waiting = new Map<string, Pending>()
  /** The keys of all records, including records that are already created. */
  readonly #keys = new Set<string>()

  add(target: ObjectModel, draft: RecordDraft): void {
    const key = targetKey({ targetObj: target.obj, target: draft.id })
    this.#keys.add(key)
    this.#waiting.set(key, { target, draft })
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  /** The targetKey of each record. */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /**
   * Creates the records that the drafts refer to, right before the drafts are written: a failed row creates nothing.
   * @throws StaleModel if another writer has created one since the lookup
   */
  async createFor(tx: Db, author: Caller, drafts: readonly Pick<RecordDraft, 'links'>[]): Promise<void> {
    if (this.#waiting.size === 0) return
    const wanted = targetsOf(drafts).map(targetKey)
    const pending = wanted.flatMap((key) => this.#waiting.get(key) ?? [])
    await insertPending(
      tx,
      author,
      pending.toSorted((a, b) => (a.draft.id < b.draft.id ? -1 : 1)),
    )
    for (const key of wanted) this.#waiting.delete(key)
  }
}
