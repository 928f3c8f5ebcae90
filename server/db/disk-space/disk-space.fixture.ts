// Services that are told how full their disks are.
import { onTestFinished, vi } from 'vitest'
import type { Context } from '../../context.ts'

/** Until the test ends the disk of the database is full, also that of cells. @returns ends it earlier */
export function fillDisk({ ctx }: { ctx: Context }): () => void {
  const spies = [...new Set([ctx, ctx.cells.of(0)])].map(({ diskSpace }) =>
    vi.spyOn(diskSpace, 'shortage', 'get').mockReturnValue({}),
  )
  const free = () => {
    for (const one of spies) one.mockRestore()
  }
  onTestFinished(free)
  return free
}
