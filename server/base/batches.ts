// Handles items together that arrive while others are in flight. A statement costs about as much as the rest of a
// request, and one statement for many items costs little more than for one item. A batch takes one item of each
// organization in turn, so the items of a busy organization only delay each other.

import { createKeyedSemaphore } from './keyed-semaphore.ts'

export interface BatchesOptions<Item> {
  /** The maximum number of items in a batch. */
  sizeMax: number
  /** The maximum number of batches in flight. A lower limit makes batches larger; with 1, a slow batch blocks all. */
  inFlightMax: number
  /** Settles each item itself, and never rejects. */
  handle(batch: readonly Item[]): Promise<void>
}

export interface Batches<Item> {
  /** @param org the organization of the item */
  add(org: number, item: Item): void
}

/** Waiting items, in a line for each organization. */
class Lines<Item> {
  /** The first organization of the map is served next. */
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
    // A line that is set again becomes the last of the map: the loop reaches it after all others.
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

  /** Starts a batch after all requests that have arrived are read. */
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

/** An item with three functions, of which one must be called to settle it. */
export type Waiting<Item, Result> = Item & {
  resolve(result: Result): void
  /** The caller then handles the item without the batch. */
  decline(): void
  reject(error: unknown): void
}

type Settled<Result> = { kind: 'done'; result: Result } | { kind: 'declined' }

/** Items of an organization in flight. Further requests wait, or use connections of the organization's share. */
const OF_ORGANIZATION_MAX = 16

/**
 * Handles an item of an organization in a batch.
 * @param unbatched handles it without a batch, if the batch declines it or too many of the organization are in flight
 */
export type AddShared<Item, Result> = (
  org: number,
  item: Item,
  unbatched: () => Promise<Result>,
) => Promise<Result>

interface SharedOptions<Item> extends BatchesOptions<Item> {
  /** How long an item waits while its organization has the maximum in flight; unset: not at all. */
  waitMs?: number
}

/** Batches with a limited number of items in flight for each organization. */
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
