// Groups of rows with the same problem: their order and their lines.

import { formatCount } from '../../../../contract/counted.ts'
import type { ImportProblemGroup } from '../../../../contract/imports.ts'

const LINES_SHOWN = 3

/** `2, 3, 5 and 12 more` @param lines of the first rows @param rows the number of all rows */
export function linesText(lines: readonly number[], rows: number): string {
  const first = lines.slice(0, LINES_SHOWN)
  const shown = first.map(formatCount).join(', ')
  const more = rows - first.length
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown
}

/** Groups with the most rows first, since replacing their value fixes most. Equal ones in the order of the file. */
export const byRows = (groups: readonly ImportProblemGroup[]): ImportProblemGroup[] =>
  groups.toSorted((a, b) => b.rows - a.rows)
