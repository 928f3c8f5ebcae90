// Wakes the loops of this process after a commit that may be work for them. Only a shortcut: the loops also poll, since
// work may come from another process.
import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer } from './outbox-entries.ts'

/** What to do when a consumer has outbox entries, or when any other work was made. */
type Listener = Partial<Record<Consumer | 'work', () => void>>

export interface Wake {
  /** Work of any kind was made. */
  work(): void
  /** Events may have been committed: consumers that have entries are notified. */
  events(): void
  /** @returns a function that stops listening */
  listen(listener: Listener): () => void
  /**
   * Anything may have been committed. For consumers of events that use no entries.
   * @returns a function that stops listening
   */
  onWrite(listener: () => void): () => void
}

/** How often entries are looked for during a stream of writes. */
const APART_MS = 5

/** @param waiting selects the consumers that have entries */
export function createWake(waiting: () => Promise<readonly Consumer[]>): Wake {
  const listeners = new Set<Listener>()
  const writeListeners = new Set<() => void>()
  const announceWrite = () => {
    for (const listener of writeListeners) listener()
  }
  const notify = (consumer: Consumer) => {
    for (const listener of listeners) listener[consumer]?.()
  }
  let isAsked = false
  let isLooking = false
  const look = async () => {
    isLooking = true
    while (isAsked) {
      isAsked = false
      // The loops that poll meet the error again, and log it.
      for (const consumer of await waiting().catch(() => [])) notify(consumer)
      await delay(APART_MS, undefined, { ref: false })
    }
    isLooking = false
  }
  return {
    work() {
      announceWrite()
      for (const listener of listeners) for (const run of Object.values(listener)) run()
    },
    events() {
      announceWrite()
      if (listeners.size === 0) return
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
