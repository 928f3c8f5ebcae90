// The command that holds a move: one at a time, and a later one only after the earlier has ended.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/pool.ts'
import { findSign, leaveMove, takeMove } from './store.ts'

const LOOK_MS = 250

/**
 * Waits for as long as the command before may be alive: one that was killed gives no more signs of life.
 * @returns false while another command is at it
 */
export async function waitForMove(
  directory: Db,
  { org, holder, signal }: { org: number; holder: string; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const sign = await findSign(directory, org)
  while (!(await takeMove(directory, org, holder))) {
    if ((await findSign(directory, org)) !== sign) return false
    await delay(LOOK_MS, undefined, { signal })
  }
  return true
}

const BEAT_MS = 1000

/** Shows that the command is alive. @returns ends that */
export function keepHolding(directory: Db, org: number, holder: string): () => Promise<void> {
  const beat = setInterval(() => void takeMove(directory, org, holder).catch(() => undefined), BEAT_MS)
  return async () => {
    clearInterval(beat)
    await leaveMove(directory, org, holder).catch(() => undefined)
  }
}
