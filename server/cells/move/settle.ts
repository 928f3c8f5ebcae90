// Takes over from killed commands: writes are refused only for seconds, and a switched move is completed. A worker runs
// it every second.
import type { BaseContext } from '../../db/base-context.ts'
import type { MovingContext } from '../context.ts'
import { reopenSource } from './close.ts'
import { hideTarget, reopenGuard } from './guard.ts'
import { type MoveRow, selectStuck } from './store.ts'
import { endMove, takeOver } from './take-over.ts'

type Ctx = MovingContext & Pick<BaseContext, 'log'>

/** The source comes first, so that it does not wait for a target that does not respond. */
async function settle({ cells }: Ctx, move: MoveRow): Promise<void> {
  const { org, round } = move
  if (move.state === 'switched') {
    await takeOver({ cells }, move)
    await endMove({ cells }, move)
    return
  }
  const source = cells.of(move.source).db
  // A command or another worker was killed before it opened the guard again.
  if (move.state === 'copying') await reopenGuard(source, org, round)
  else if (!(await reopenSource({ directory: cells.of(0).db, org, source }, round))) return
  await hideTarget(cells.of(move.target).db, org, round)
}

/** @param told the last logged reason per move: a move is tried every second, and logged when the reason changes */
export async function settleMoves(ctx: Ctx, told: Map<string, string> = new Map()): Promise<void> {
  const stuck = await selectStuck(ctx.cells.of(0).db)
  for (const id of told.keys()) if (!stuck.some(({ orgId }) => orgId === id)) told.delete(id)
  for (const move of stuck)
    try {
      await settle(ctx, move)
    } catch (error) {
      const reason = String(error)
      if (told.get(move.orgId) !== reason)
        ctx.log.warn({ err: error, ...move }, 'a move between cells could not be settled yet')
      told.set(move.orgId, reason)
    }
}
