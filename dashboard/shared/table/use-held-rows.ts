// While a cell is edited, rows and columns stay where they are: one that comes, goes or moves would put another cell
// under the editor. Values are the newest there are.
import { useLayoutEffect, useState } from 'react'
import type { CrmRecord } from '../api/records.ts'
import type { TableColumn } from './columns.ts'

export interface ShownRows {
  /** The visible ones; the first is the name. */
  columns: readonly TableColumn[]
  total: number
  at(row: number): CrmRecord | undefined
}

/** Rows may have moved so far and are still found, in the pages that are loaded. */
const MOVED_MAX = 100

interface Held extends Pick<ShownRows, 'columns' | 'total'> {
  records: ReadonlyMap<number, CrmRecord>
}

const recordsAt = ({ at }: ShownRows, rows: readonly number[]): [number, CrmRecord][] =>
  rows.flatMap((row) => {
    const record = at(row)
    return record ? [[row, record] as [number, CrmRecord]] : []
  })

/** The rows that were held, with their values of now; others as they are. */
function withNewest({ columns, total, records }: Held, rows: ShownRows): ShownRows {
  const places = [...records.keys()]
  const first = Math.max(0, Math.min(...places) - MOVED_MAX)
  const end = Math.min(rows.total, Math.max(...places) + MOVED_MAX)
  const near = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  const newest = new Map(recordsAt(rows, near).map(([, record]) => [record.id, record]))
  const at = (row: number) => {
    const record = records.get(row)
    return record ? (newest.get(record.id) ?? record) : rows.at(row)
  }
  return { columns, total, at }
}

/** @returns the rows to show, and what to tell whether a cell is edited */
export function useHeldRows(rows: ShownRows) {
  const [held, setHeld] = useState<Held>()
  return { shown: held ? withNewest(held, rows) : rows, setHeld }
}

interface Editing {
  isEditing: boolean
  /** Those that are drawn. */
  rows: readonly number[]
  /** Hears that the editor opens, and that it closes. */
  onEditing(isEditing: boolean): void
}

/** Holds the rows that are drawn from the moment in which the editor opens until it closes. */
export function useHold(
  { shown, setHeld }: ReturnType<typeof useHeldRows>,
  { isEditing, rows, onEditing }: Editing,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are held as they were when the editor opened
  useLayoutEffect(() => {
    if (!isEditing) return
    onEditing(true)
    setHeld({ columns: shown.columns, total: shown.total, records: new Map(recordsAt(shown, rows)) })
    return () => {
      onEditing(false)
      setHeld(undefined)
    }
  }, [isEditing])
}
