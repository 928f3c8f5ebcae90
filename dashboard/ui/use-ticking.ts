// Texts that change with time, such as "2 minutes ago". All of them share one timer.
import { useSyncExternalStore } from 'react'

const TICK_MS = 5000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  for (const listener of listeners) listener()
}

function onTick(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Renders again only when the result changes.
 * @param read the text for `now`, in milliseconds since 1970
 */
export const useTicking = <Shown extends string | number | boolean>(read: (now: number) => Shown): Shown =>
  useSyncExternalStore(onTick, () => read(Date.now()))
