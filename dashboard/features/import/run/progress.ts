// The progress of a check or a run, in words.

import { formatCount } from '../../../../contract/counted.ts'
import type { Import } from '../api.ts'
import { rowsText } from '../upload/file-facts.ts'

type Going = Pick<Import, 'rows' | 'progress'>

export const shareOf = ({ rows, progress }: Going): number =>
  rows === 0 ? 1 : Math.min(1, progress.rows / rows)

export const doneOf = ({ rows, progress }: Going): string =>
  `${formatCount(progress.rows)} of ${rowsText(rows)}`

const MINUTE = 60

/** `about 2 minutes left`; undefined while it is unknown. */
export function remaining({ rows, progress: { rows: done, rowsPerSecond } }: Going): string | undefined {
  if (!rowsPerSecond || done >= rows) return undefined
  const seconds = (rows - done) / rowsPerSecond
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} seconds left`
  return `about ${Math.round(seconds / MINUTE)} minutes left`
}

const QUARTERS = 4

/** Changes only with every quarter, so that a screen reader does not talk all the time. */
export function announcement(verb: string, going: Going): string {
  const quarter = Math.floor(shareOf(going) * QUARTERS)
  return quarter === 0
    ? `${verb} ${rowsText(going.rows)}`
    : `${verb}: ${(quarter * 100) / QUARTERS} percent done`
}
