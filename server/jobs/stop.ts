// Stops continuous work: nothing new begins, and work in progress has a grace period.

export interface Stop {
  /** Aborted first: nothing new begins. */
  readonly stopping: AbortSignal
  /** Aborted when the grace period is over: work in progress is abandoned. */
  readonly aborting: AbortSignal
  /** Aborts `stopping`, and `aborting` if `end` takes longer than `graceMs`. */
  within(graceMs: number, end: () => Promise<void>): Promise<void>
}

export function createStop(): Stop {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  return {
    stopping: stopping.signal,
    aborting: aborting.signal,
    async within(graceMs, end) {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(), graceMs)
      try {
        await end()
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
