// The actions for dropping a field or a part.
import type { Action, Draft } from './builder-state.ts'
import { isRows } from './builder-state.ts'
import type { PartPosition } from './part-chip.tsx'
import { canGroup, firstMeasure, type ReportField } from './report-fields.ts'

export type Zone = 'measures' | 'groupBy' | 'columns' | 'filters' | 'sort'

/** The dragged field or part. */
export interface Dragged {
  field?: ReportField | undefined
  part?: PartPosition | undefined
  /** Name of the part. */
  name?: string | undefined
}

export interface Target {
  zone?: Zone | undefined
  /** Index of the part of the zone before which to insert. */
  index?: number | undefined
}

export function takes(draft: Draft, { field, part }: Dragged, zone: Zone): boolean {
  if (part) return part.list === zone
  if (!field) return false
  if (zone === 'filters') return true
  if (zone === 'columns') return isRows(draft)
  if (zone === 'groupBy') return !isRows(draft) && canGroup(field)
  return zone === 'measures' && !isRows(draft)
}

/** undefined: no action, or a filter, which the user must complete first. */
export function dropAction({ field, part }: Dragged, { zone, index: at }: Target): Action | undefined {
  if (part) {
    const to = at ?? part.count - 1
    return part.list === zone && to !== part.index
      ? { does: 'move', list: part.list, from: part.index, to }
      : undefined
  }
  if (!field) return undefined
  if (zone === 'columns') return { does: 'column', field, at }
  if (zone === 'groupBy') return { does: 'group', field, at }
  if (zone === 'measures') return { does: 'measure', op: firstMeasure(field), field, at }
  return undefined
}
