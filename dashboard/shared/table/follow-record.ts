// Keeps the active cell on its record when rows are added, removed or moved.
import type { ShownRows } from './use-held-rows.ts'

/** The largest distance, in rows, at which a moved record is found in loaded pages. */
const MOVED_MAX = 100

/**
 * The current row of a record.
 * @param row its earlier row
 * @returns `row` if the record is not found nearby
 */
export function followRecord(
  { at, total }: Pick<ShownRows, 'at' | 'total'>,
  row: number,
  id: string | undefined,
): number {
  if (id === undefined || at(row)?.id === id) return row
  for (let by = 1; by <= MOVED_MAX; by++) {
    if (row + by < total && at(row + by)?.id === id) return row + by
    if (row - by >= 0 && at(row - by)?.id === id) return row - by
  }
  return row
}
