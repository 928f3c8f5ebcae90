// Lets long work yield to the event loop between its steps, so that other requests are served.
import { setImmediate as nextTurn } from 'node:timers/promises'

const HELD_MS_MAX = 2

let last: Promise<void> = Promise.resolve()

/** Resolves in a later iteration of the event loop, one caller per iteration: many at a time would block it. */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}

/** @returns a function to await between the steps of long work: it yields after HELD_MS_MAX without a yield */
export function createYield(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < HELD_MS_MAX) return undefined
    return yieldToEventLoop().then(() => {
      began = performance.now()
    })
  }
}
