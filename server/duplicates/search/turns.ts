// Lets long work in memory yield to other work.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Short, because a request waits for several turns. */
const TURN_MS = 1
const LOOK_EVERY = 8

export interface Turns {
  /** Called for each piece of work; yields when the turn is over. @throws when `signal` aborts */
  pass(): Promise<void> | undefined
}

export function createTurns(signal: AbortSignal): Turns {
  let began = performance.now()
  let pieces = 0
  const giveWay = async () => {
    signal.throwIfAborted()
    await nextTurn()
    began = performance.now()
  }
  return {
    pass() {
      if (++pieces % LOOK_EVERY !== 0 || performance.now() - began < TURN_MS) return undefined
      return giveWay()
    },
  }
}
