// Sessions of the embedded server that others are to be preferred to: their processes are given a lower priority by the
// operating system, so that work that takes seconds does not slow down work that takes milliseconds.
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** As `nice`: about a tenth of what a usual process gets while both want to run, and all when none does. */
const NICE = 10

// Linux takes one such change in 100 ms of those who are not root.
const TRIES = 5
const AGAIN_MS = 120

/**
 * Each session of PostgreSQL is a session of the operating system too, and Linux, where it groups processes by session,
 * compares the priority of the groups, not of the processes in them.
 */
async function lowerGroup(pid: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(NICE))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await delay(AGAIN_MS)
    }
  }
}

/** Lowers the priority of a process of this machine for good. Where the system does not allow it, nothing happens. */
export async function lowerPriority(pid: number): Promise<void> {
  try {
    setPriority(pid, NICE)
  } catch {
    // The process has ended, or is of another user.
    return
  }
  await lowerGroup(pid)
}
