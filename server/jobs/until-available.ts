// What begins with statements to the database, which may be away at that moment.
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../db/unavailable.ts'

interface Options {
  /** Whether it is still to begin. */
  isWanted: () => boolean
  /** The database is away; it is tried again. */
  onAway: (error: unknown) => void
  pauseMs?: number
}

const PAUSE_MS = 500

/** A database that is away is waited for. @returns undefined when it is no longer wanted before it began */
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
