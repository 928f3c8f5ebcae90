// Items that arrive while others are in flight are handled together: a statement costs about as much as the rest of
// a request, and one for many costs little more than one for one.

export interface BatchesOptions<Item> {
  /** Items of one batch. */
  sizeMax: number
  /** Batches at once. Fewer make them larger; with one alone, a slow batch would keep all others waiting. */
  inFlightMax: number
  /** Settles each item itself, and never rejects. */
  handle(batch: readonly Item[]): Promise<void>
}

export interface Batches<Item> {
  add(item: Item): void
}

class QueuedBatches<Item> implements Batches<Item> {
  readonly #options: BatchesOptions<Item>
  readonly #waiting: Item[] = []
  #inFlight = 0
  #isScheduled = false

  constructor(options: BatchesOptions<Item>) {
    this.#options = options
  }

  add(item: Item): void {
    this.#waiting.push(item)
    this.#schedule()
  }

  /** Once all requests that have arrived were looked at. */
  #schedule(): void {
    const { inFlightMax, sizeMax } = this.#options
    if (this.#isScheduled || this.#inFlight >= inFlightMax || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#handle(this.#waiting.splice(0, sizeMax))
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

export const createBatches = <Item>(options: BatchesOptions<Item>): Batches<Item> =>
  new QueuedBatches(options)
