// Tasks that were checked off or opened again on this page, by their ids: they stay in their places.
import type { Activity } from '../../activities/api.ts'

export interface Held {
  task: Activity
  place: number
  /** That the change has made; undefined: it is not saved yet. */
  version?: number
}

export type HeldTasks = ReadonlyMap<string, Held>

/** Whether the answer with this version is from after what is held: an earlier one shows how the task was before. */
function isReplacedBy({ task, version }: Held, answered: number | undefined): boolean {
  if (version === undefined || answered === undefined) return false
  return task.completedAt === null ? answered >= version : answered > version
}

/** After the open tasks were read: without those that are open in them, also by an undo or a colleague. */
export function heldAfter(held: HeldTasks, open: readonly Activity[]): HeldTasks {
  const versions = new Map(open.map(({ id, version }) => [id, version]))
  const left = [...held].filter(([id, one]) => !isReplacedBy(one, versions.get(id)))
  return left.length === held.size ? held : new Map(left)
}

/** @param saved undefined: it was refused. A later change of the same task is not touched. */
export function heldOnceSaved(held: HeldTasks, one: Held, saved: Activity | undefined): HeldTasks {
  const { id } = one.task
  if (held.get(id) !== one) return held
  const next = new Map(held)
  if (saved) next.set(id, { ...one, version: saved.version })
  else next.delete(id)
  return next
}
