// Wakes the loops of this process after a commit that may have work for them. This only makes them faster: the loops
// also poll, because work can come from other processes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer } from '../base/consumer.ts'

/** Callbacks for each consumer of outbox entries, and for other work. */
type Listener = Partial<Record<Consumer | 'work', () => void>>

export interface Wake {
  /** Whether commits of all processes that serve requests wake it; otherwise the loops poll often. */
  readonly hearsAll: boolean
  /** There may be work of any kind. @param org the organization that wrote; undefined if unknown */
  work(org?: number): void
  /** Events may have been committed: consumers that have entries are notified. @param org as in `work` */
  events(org?: number): void
  /** @returns a function that stops listening */
  listen(listener: Listener): () => void
  /**
   * Called after every commit, for consumers of events without outbox entries.
   * @returns a function that stops listening
   */
  onWrite(listener: (org: number | undefined) => void): () => void
}

/** How often entries are checked during continuous writes. */
const APART_MS = 5
/** A consumer that had entries within this time is called without a check: it probably has more. */
const RECENT_MS = 1000

/** @param waiting selects the consumers that have entries */
export function createWake(
  waiting: () => Promise<readonly Consumer[]>,
  { hearsAll = true }: Partial<Pick<Wake, 'hearsAll'>> = {},
): Wake {
  const listeners = new Set<Listener>()
  const writeListeners = new Set<(org: number | undefined) => void>()
  const announceWrite = (org: number | undefined) => {
    for (const listener of writeListeners) listener(org)
  }
  const notify = (consumer: Consumer) => {
    for (const listener of listeners) listener[consumer]?.()
  }
  const foundAt = new Map<Consumer, number>()
  const notifyRecent = () => {
    const since = performance.now() - RECENT_MS
    for (const [consumer, at] of foundAt) if (at > since) notify(consumer)
  }
  let isAsked = false
  let isLooking = false
  const look = async () => {
    isLooking = true
    while (isAsked) {
      isAsked = false
      // The polling loops get the same error, and log it.
      for (const consumer of await waiting().catch(() => [])) {
        foundAt.set(consumer, performance.now())
        notify(consumer)
      }
      await delay(APART_MS, undefined, { ref: false })
    }
    isLooking = false
  }
  return {
    hearsAll,
    work(org) {
      announceWrite(org)
      for (const listener of listeners) for (const run of Object.values(listener)) run()
    },
    events(org) {
      announceWrite(org)
      if (listeners.size === 0) return
      notifyRecent()
      isAsked = true
      if (!isLooking) void look()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onWrite(listener) {
      writeListeners.add(listener)
      return () => void writeListeners.delete(listener)
    },
  }
}
