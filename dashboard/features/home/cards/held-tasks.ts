// Tasks by id that were completed or reopened on this page: they keep their places in the list.
import type { Activity } from '../../activities/api.ts'

export interface Held {
  task: Activity
  place: number
  /** The version after the change; undefined: the change is not saved yet. */
  version?: number
}

export type HeldTasks = ReadonlyMap<string, Held>

/** Whether an answer with this version was read after the held change: an older one shows the previous state. */
function isReplacedBy({ task, version }: Held, answered: number | undefined): boolean {
  if (version === undefined || answered === undefined) return false
  return task.completedAt === null ? answered >= version : answered > version
}

/** Drops held tasks that the loaded list contains in a newer version, as after an undo or a change by a colleague. */
export function heldAfter(held: HeldTasks, open: readonly Activity[]): HeldTasks {
  const versions = new Map(open.map(({ id, version }) => [id, version]))
  const left = [...held].filter(([id, one]) => !isReplacedBy(one, versions.get(id)))
  return left.length === held.size ? held : new Map(left)
}

/** Leaves a later change of the same task as it is. @param saved undefined: the change was refused */
export function heldOnceSaved(held: HeldTasks, one: Held, saved: Activity | undefined): HeldTasks {
  const { id } = one.task
  if (held.get(id) !== one) return held
  const next = new Map(held)
  if (saved) next.set(id, { ...one, version: saved.version })
  else next.delete(id)
  return next
}
