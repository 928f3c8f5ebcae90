// Records that are in several groups: what is measured of the groups does not add up to what it is of all records.
import type { MeasureOp } from '../../../contract/report-states.ts'
import type { PlannedGroup } from './groups.ts'
import type { PlannedMeasure } from './measures.ts'
import { type PlannedObject, singleFrom } from './objects.ts'

/** What of groups without a record in common could be added. */
const ADDED: readonly MeasureOp[] = ['count', 'countEmpty', 'countNotEmpty', 'sum', 'percentage']

interface Measured {
  objects: readonly PlannedObject[]
  groups: readonly PlannedGroup[]
  measures: readonly PlannedMeasure[]
}

/** By one of several elements of a list, or of several records it goes with; currencies are groups too. */
function overlaps({ objects, groups, measures }: Measured, { object }: PlannedMeasure): boolean {
  const single = singleFrom(objects, object)
  return (
    groups.some((group) => group.elements !== undefined || !single.has(group.object)) ||
    measures.some((other) => other.currency !== undefined && !single.has(other.object))
  )
}

/** The same measures, whose columns say when a record may be in several rows. */
export const markOverlaps = (measured: Measured): PlannedMeasure[] =>
  measured.measures.map((measure) =>
    ADDED.includes(measure.op) && overlaps(measured, measure)
      ? { ...measure, column: { ...measure.column, overlapping: true } }
      : measure,
  )
