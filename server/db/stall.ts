// Whether a read that took too long did so because the server stalled: then the read may be repeated as it is. The server
// is sent an empty statement at half of the time. One that takes a second for it, or is away, answers none in time.
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from './unavailable.ts'

const STALL_MS = 1000

export interface StallWatch {
  /** At the end of the time. Waits until the question is a second old, where one was sent. */
  isStalled(): Promise<boolean>
  stop(): void
}

/** @param ask sends the server a trivial statement @param ms the time of the read */
export function watchForStall(ask: () => Promise<unknown>, ms: number): StallWatch {
  let slow: Promise<boolean> | undefined
  const look = () => {
    const answered = ask().then(() => false, isDatabaseUnavailable)
    const late = delay(STALL_MS, true, { ref: false })
    slow = Promise.race([answered, late])
  }
  const timer = setTimeout(look, ms / 2)
  return {
    isStalled: async () => slow ?? false,
    stop: () => clearTimeout(timer),
  }
}
