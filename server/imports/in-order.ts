// Works on several items at a time, and reports the results in order.

interface Started<Item, Result> {
  item: Item
  settled: Promise<PromiseSettledResult<Result>>
}

export interface InOrderOptions<Item, Result> {
  /** How many items are worked on concurrently. */
  inFlight: number
  onDone: (item: Item, result: Result) => void | Promise<void>
  /** The first item that failed, and later items that were already started. */
  onFailed: (item: Item, reason: unknown) => void
}

/**
 * Works on `items` as they arrive. After a failure it starts no further item and waits for those in progress. When it
 * returns, `onDone` or `onFailed` was called for each started item.
 */
export async function executeInOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { inFlight, onDone, onFailed }: InOrderOptions<Item, Result>,
): Promise<void> {
  const started: Started<Item, Result>[] = []
  let isFailed = false
  const settle = async () => {
    const oldest = started.shift()
    if (!oldest) return
    const outcome = await oldest.settled
    if (outcome.status === 'fulfilled') return onDone(oldest.item, outcome.value)
    isFailed = true
    onFailed(oldest.item, outcome.reason)
  }
  try {
    for await (const item of items) {
      if (started.length >= inFlight) await settle()
      if (isFailed) break
      const settled = Promise.allSettled([work(item)]).then(([one]) => one)
      started.push({ item, settled })
    }
  } finally {
    while (started.length > 0) await settle()
  }
}
