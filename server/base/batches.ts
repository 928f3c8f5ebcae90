// Items that arrive while others are in flight are handled together: a statement costs about as much as the rest of
// a request, and one for many costs little more than one for one. A batch takes one item of each organization in turn, so
// an organization with many items waits behind its own.

import { createKeyedSemaphore } from './keyed-semaphore.ts'

export interface BatchesOptions<Item> {
  /** Items of one batch. */
  sizeMax: number
  /** Batches in flight. A lower limit makes batches larger; with one, a slow batch keeps all others waiting. */
  inFlightMax: number
  /** Settles each item itself, and never rejects. */
  handle(batch: readonly Item[]): Promise<void>
}

export interface Batches<Item> {
  /** @param org the organization whose item it is */
  add(org: number, item: Item): void
}

/** Waiting items, in a line for each organization. */
class Lines<Item> {
  /** In the order of their turns. */
  readonly #lines = new Map<number, Item[]>()

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  add(org: number, item: Item): void {
    const line = this.#lines.get(org)
    if (line) line.push(item)
    else this.#lines.set(org, [item])
  }

  take(max: number): Item[] {
    const taken: Item[] = []
    // A line that is set again is the last of the map: the loop comes to it once all others had their turn.
    for (const [org, line] of this.#lines) {
      this.#lines.delete(org)
      taken.push(...line.splice(0, this.isEmpty ? max - taken.length : 1))
      if (line.length > 0) this.#lines.set(org, line)
      if (taken.length === max) break
    }
    return taken
  }
}

class QueuedBatches<Item> implements Batches<Item> {
  readonly #options: BatchesOptions<Item>
  readonly #waiting = new Lines<Item>()
  #inFlight = 0
  #isScheduled = false

  constructor(options: BatchesOptions<Item>) {
    this.#options = options
  }

  add(org: number, item: Item): void {
    this.#waiting.add(org, item)
    this.#schedule()
  }

  /** Once all requests that have arrived were looked at. */
  #schedule(): void {
    const { inFlightMax, sizeMax } = this.#options
    if (this.#isScheduled || this.#inFlight >= inFlightMax || this.#waiting.isEmpty) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#handle(this.#waiting.take(sizeMax))
      this.#schedule()
    })
  }

  async #handle(batch: readonly Item[]): Promise<void> {
    this.#inFlight++
    try {
      await this.#options.handle(batch)
    } finally {
      this.#inFlight--
      this.#schedule()
    }
  }
}

/** An item with the functions of which one settles it. */
export type Waiting<Item, Result> = Item & {
  resolve(result: Result): void
  /** The caller handles the item without others. */
  decline(): void
  reject(error: unknown): void
}

type Settled<Result> = { kind: 'done'; result: Result } | { kind: 'declined' }

/** Further requests of an organization wait for these, or take connections of its share. */
const OF_ORGANIZATION_MAX = 16

/**
 * Handles an item of an organization together with others.
 * @param unbatched handles it without others: the batch declined it, or too many items of the organization are in flight
 */
export type AddShared<Item, Result> = (
  org: number,
  item: Item,
  unbatched: () => Promise<Result>,
) => Promise<Result>

interface SharedOptions<Item> extends BatchesOptions<Item> {
  /** How long a further item of an organization waits until fewer of it are in flight; unset: not at all. */
  waitMs?: number
}

/** Batches in which an organization has a bounded number of items. */
export function createSharedBatches<Item, Result>({
  waitMs = 0,
  ...options
}: SharedOptions<Waiting<Item, Result>>): AddShared<Item, Result> {
  const places = createKeyedSemaphore<number>({
    places: Number.POSITIVE_INFINITY,
    perKey: OF_ORGANIZATION_MAX,
  })
  const batches = createBatches(options)
  const share = (org: number, item: Item) =>
    new Promise<Settled<Result>>((settle, reject) =>
      batches.add(org, {
        ...item,
        resolve: (result: Result) => settle({ kind: 'done', result }),
        decline: () => settle({ kind: 'declined' }),
        reject,
      }),
    )
  return async (org, item, unbatched) => {
    const settled = await places.tryWithin(org, () => share(org, item), waitMs)
    return settled?.kind === 'done' ? settled.result : unbatched()
  }
}

export const createBatches = <Item>(options: BatchesOptions<Item>): Batches<Item> =>
  new QueuedBatches(options)
