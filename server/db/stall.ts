// Detects whether a read took too long because the server stalled: then the same read may be repeated. After half of
// the time limit an empty statement is sent. If that takes a second, or the server is unavailable, the server has
// stalled.
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from './unavailable.ts'

const STALL_MS = 1000

export interface StallWatch {
  /** Call it at the end of the time limit. Waits up to a second for the probe, if one was sent. */
  isStalled(): Promise<boolean>
  stop(): void
}

/** @param ask sends the server a trivial statement @param ms the time limit of the read */
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
