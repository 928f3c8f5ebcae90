// The command that holds a move. Only one command holds it at a time, and the next one waits until it has ended.
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { findGuard, guardTarget, removeGuard } from './guard.ts'
import { findSign, leaveMove, takeMove } from './store.ts'

const LOOK_MS = 250

/**
 * Takes the move. Waits while an earlier command may still run: a killed command no longer updates `seen_at`.
 * @returns false if another command is running
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

const takenOver = () =>
  new AppError('wrong_state', 'Another command has taken over this move: wait until it has ended')

const BEAT_MS = 1000

/** Shows that the command is alive. @returns `lost` aborts when another command has taken over; `stop` ends it */
export function keepHolding(directory: Db, org: number, holder: string) {
  const lost = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const beat = async () => {
    const isHeld = await takeMove(directory, org, holder).catch(() => true)
    if (!isHeld) lost.abort(takenOver())
  }
  const timer = setInterval(() => {
    last = beat()
  }, BEAT_MS)
  const stop = async () => {
    clearInterval(timer)
    // A beat that is under way would hold the move again.
    await last
    await leaveMove(directory, org, holder).catch(() => undefined)
  }
  return { lost: lost.signal, stop }
}

/**
 * From here on, only this command writes in the target. Checks again that it holds the move: a command that takes over
 * after this check holds the target next.
 */
export async function holdTarget(
  directory: Db,
  to: Db,
  { org, holder }: { org: number; holder: string },
): Promise<void> {
  if ((await findGuard(to, org))?.state === 'open') await removeGuard(to, org, { state: 'open' })
  const isNew = await guardTarget(to, org, holder)
  if (await takeMove(directory, org, holder)) return
  if (isNew) await removeGuard(to, org, { state: 'hidden', holder })
  throw takenOver()
}
