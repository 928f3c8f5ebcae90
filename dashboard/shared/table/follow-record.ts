// The active cell stays on its record when rows come, go or move.
import type { ShownRows } from './use-held-rows.ts'

/** Rows may have moved so far and are still found, in the pages that are loaded. */
const MOVED_MAX = 100

/**
 * Where a record is now.
 * @param row where it was
 * @returns `row` for a record that is not found near it
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
