// Tells this process that something was committed which the worker may be waiting for. Only a shortcut: whoever
// waits also looks by itself every now and then, since the work may come from another process.
export interface Wake {
  now(): void
  /** @returns a function that stops listening */
  listen(listener: () => void): () => void
}

export function createWake(): Wake {
  const listeners = new Set<() => void>()
  return {
    now() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
