// Long work, cut so that others have their turn in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS = 5

let last: Promise<void> = Promise.resolve()

/** A turn of the event loop in which no other long work is done: many short pieces together would be a long one. */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}

/** To be awaited between the steps of one piece of work: gives way once it has held the event loop for a while. */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return ownTurn().then(() => {
      began = performance.now()
    })
  }
}
