// Tasks that were checked off on this page, by their ids.
import type { Activity } from '../../activities/api.ts'

interface Held {
  /** As it was checked off or opened again here: with the version of before. */
  task: Activity
  place: number
}

export type HeldTasks = ReadonlyMap<string, Held>

/**
 * After the open tasks were read: without those that were changed since and are open, by an undo or by a colleague. An
 * answer from before the change still has them, with their version of then.
 */
export function heldAfter(held: HeldTasks, open: readonly Activity[]): HeldTasks {
  const versions = new Map(open.map(({ id, version }) => [id, version]))
  return new Map([...held].filter(([id, { task }]) => (versions.get(id) ?? 0) <= task.version))
}
