// Long work gives the event loop back between its steps, so that other requests are served.
import { setImmediate as nextTurn } from 'node:timers/promises'

const HELD_MS_MAX = 2

let last: Promise<void> = Promise.resolve()

/** Resolves in a later turn of the event loop. Callers get one turn each: many short pieces in one turn would block it. */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}

/** @returns a function to await between the steps of long work: it yields once the work has held the event loop for a while */
export function createYield(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < HELD_MS_MAX) return undefined
    return yieldToEventLoop().then(() => {
      began = performance.now()
    })
  }
}
