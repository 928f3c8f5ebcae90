// Goes on for commands that were killed: writes are refused no longer than a moment, and a switch is followed by what
// belongs to it. A worker calls it every second.
import type { Context } from '../../context.ts'
import { reopen } from './close.ts'
import { reopenGuard } from './guard.ts'
import { type MoveRow, selectStuck } from './store.ts'
import { endMove, takeOver } from './take-over.ts'

async function settle(ctx: Pick<Context, 'cells'>, move: MoveRow): Promise<void> {
  const [directory, source, target] = [0, move.source, move.target].map((cell) => ctx.cells.of(cell).db)
  if (!directory || !source || !target) return
  const { org, round } = move
  if (move.state === 'closing') await reopen({ directory, org, source, target }, round)
  // Another worker may have got that far before it was killed.
  if (move.state === 'copying') await reopenGuard(source, org, round)
  if (move.state === 'switched') {
    await takeOver(ctx, move)
    await endMove(ctx, move)
  }
}

export async function settleMoves(ctx: Pick<Context, 'cells'>): Promise<void> {
  for (const move of await selectStuck(ctx.cells.of(0).db)) await settle(ctx, move)
}
