// Starts work that needs the database, and waits while the database is unavailable.
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../db/unavailable.ts'

interface Options {
  /** Whether the work is still wanted. */
  isWanted: () => boolean
  /** Called when the database is unavailable, before the next try. */
  onAway: (error: unknown) => void
  pauseMs?: number
}

const PAUSE_MS = 500

/** Tries `begin` until the database is available. @returns undefined if the work is no longer wanted before */
export async function untilAvailable<Begun>(
  begin: () => Promise<Begun>,
  { isWanted, onAway, pauseMs = PAUSE_MS }: Options,
): Promise<Begun | undefined> {
  while (isWanted()) {
    try {
      return await begin()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      onAway(error)
      await delay(pauseMs)
    }
  }
  return undefined
}
