// Whether two definitions give the same results, regardless of name and chart.
import type { ReportDefinition } from '../../../../contract/reports.ts'

/** Sorts object keys, so that equal content has the same JSON text. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, ordered(inner)]),
  )
}

export function asksTheSame(a: ReportDefinition, b: ReportDefinition): boolean {
  const asked = ({ name: _, description: __, chart: ___, version: ____, ...rest }: ReportDefinition) =>
    JSON.stringify(ordered(rest))
  return asked(a) === asked(b)
}
