// Words that change as time goes by, such as "2 minutes ago": all of them by one timer.
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
 * Drawn again only when the answer is another one.
 * @param read what is shown now; `now` in milliseconds since 1970
 */
export const useTicking = <Shown extends string | number | boolean>(read: (now: number) => Shown): Shown =>
  useSyncExternalStore(onTick, () => read(Date.now()))
