// Finds measures whose records can be in several groups, so that the values of the groups do not add up to the total.
import type { MeasureOp } from '../../../contract/report-states.ts'
import type { PlannedGroup } from './groups.ts'
import type { PlannedMeasure } from './measures.ts'
import { type PlannedObject, singleFrom } from './objects.ts'

/** Measures that can be added if groups have no record in common. */
const ADDED: readonly MeasureOp[] = ['count', 'countEmpty', 'countNotEmpty', 'sum', 'percentage']

interface Measured {
  objects: readonly PlannedObject[]
  groups: readonly PlannedGroup[]
  measures: readonly PlannedMeasure[]
}

/** A record is in several groups by elements of a list, or by several joined records; currencies are groups too. */
function overlaps({ objects, groups, measures }: Measured, { object }: PlannedMeasure): boolean {
  const single = singleFrom(objects, object)
  return (
    groups.some((group) => group.elements !== undefined || !single.has(group.object)) ||
    measures.some((other) => other.currency !== undefined && !single.has(other.object))
  )
}

/** Sets `overlapping` on columns of measures whose records can be in several rows. */
export const markOverlaps = (measured: Measured): PlannedMeasure[] =>
  measured.measures.map((measure) =>
    ADDED.includes(measure.op) && overlaps(measured, measure)
      ? { ...measure, column: { ...measure.column, overlapping: true } }
      : measure,
  )
