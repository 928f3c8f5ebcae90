// Simulates a full disk in a service under test.
import { onTestFinished, vi } from 'vitest'
import type { Context } from '../../context.ts'

/** Makes the disk of the database and its cell full until the test ends. @returns a function that ends it earlier */
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
