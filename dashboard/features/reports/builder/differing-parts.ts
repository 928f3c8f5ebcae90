// Names the parts in which two definitions differ.
import { listFormat } from '../../../../contract/language.ts'
import type { ReportDefinition } from '../../../../contract/reports.ts'

const PARTS: readonly (readonly [keyof ReportDefinition, string])[] = [
  ['name', 'the name'],
  ['description', 'the description'],
  ['source', 'the object'],
  ['joins', 'the joins'],
  ['measures', 'the measures'],
  ['columns', 'the columns'],
  ['filters', 'the filters'],
  ['groupBy', 'the groups'],
  ['having', 'the conditions on measures'],
  ['sort', 'the order'],
  ['limit', 'the number of rows'],
  ['chart', 'the chart'],
]

const list = listFormat({ type: 'conjunction' })

/** `the filters and the chart` */
export function differingParts(one: ReportDefinition, other: ReportDefinition): string {
  const differing = PARTS.filter(([part]) => JSON.stringify(one[part]) !== JSON.stringify(other[part]))
  return differing.length > 0 ? list.format(differing.map(([, name]) => name)) : 'nothing'
}
