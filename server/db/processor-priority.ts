// Lowers the operating system priority of some sessions of the embedded server, so that work that takes seconds does
// not slow down work that takes milliseconds.
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** The value for `nice`: about a tenth of the time of a usual process while both run, all of it when no other runs. */
const NICE = 10

// Linux accepts one such change per 100 ms from accounts other than root.
const TRIES = 5
const AGAIN_MS = 120

/**
 * Each PostgreSQL session is also a session of the operating system. Where Linux groups processes by session
 * (autogroup), it compares the priorities of groups, not of processes.
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

/** Lowers the priority of a process of this machine permanently. Does nothing if the system does not allow it. */
export async function lowerPriority(pid: number): Promise<void> {
  try {
    setPriority(pid, NICE)
  } catch {
    // The process has ended, or belongs to another user.
    return
  }
  await lowerGroup(pid)
}
