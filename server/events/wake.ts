// Tells this process that something was committed which the worker may be waiting for. Only a shortcut: whoever
// waits also looks by itself every now and then, since the work may come from another process.
import { setTimeout as delay } from 'node:timers/promises'
import type { Reader } from './markers.ts'

/** What somebody does when events were marked for a reader, or when any other work was made. */
type Listener = Partial<Record<Reader | 'work', () => void>>

export interface Wake {
  /** Work was made, of whatever kind. */
  work(): void
  /** Events may have been committed: those who read markers hear of it when some of theirs are there. */
  events(): void
  /** @returns a function that stops listening */
  listen(listener: Listener): () => void
}

/** While one write follows the other, markers are looked for so often and not after each. */
const APART_MS = 5

/** @param marked says whose markers are there */
export function createWake(marked: () => Promise<readonly Reader[]>): Wake {
  const listeners = new Set<Listener>()
  const tell = (reader: Reader) => {
    for (const listener of listeners) listener[reader]?.()
  }
  let isAsked = false
  let isLooking = false
  const look = async () => {
    isLooking = true
    while (isAsked) {
      isAsked = false
      // An error is met again by those who look by themselves, and told by them.
      for (const reader of await marked().catch(() => [])) tell(reader)
      await delay(APART_MS, undefined, { ref: false })
    }
    isLooking = false
  }
  return {
    work() {
      for (const listener of listeners) for (const hear of Object.values(listener)) hear()
    },
    events() {
      if (listeners.size === 0) return
      isAsked = true
      if (!isLooking) void look()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
