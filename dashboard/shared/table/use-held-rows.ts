// Keeps rows and columns in place while a cell is edited. Otherwise an added, removed or moved row would put another
// cell under the editor. Values are still updated.
import { useLayoutEffect, useState } from 'react'
import type { CrmRecord } from '../api/records.ts'
import type { TableColumn } from './columns.ts'

export interface ShownRows {
  /** The visible columns. The first one is the name. */
  columns: readonly TableColumn[]
  total: number
  at(row: number): CrmRecord | undefined
}

/** The largest distance, in rows, at which a moved record is found in loaded pages. */
const MOVED_MAX = 100

interface Held extends Pick<ShownRows, 'columns' | 'total'> {
  records: ReadonlyMap<number, CrmRecord>
}

const recordsAt = ({ at }: ShownRows, rows: readonly number[]): [number, CrmRecord][] =>
  rows.flatMap((row) => {
    const record = at(row)
    return record ? [[row, record] as [number, CrmRecord]] : []
  })

/** The held rows with their current values. Other rows are unchanged. */
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

/** @returns the rows to show, and the setter for `useHold` */
export function useHeldRows(rows: ShownRows) {
  const [held, setHeld] = useState<Held>()
  return { shown: held ? withNewest(held, rows) : rows, setHeld }
}

interface Editing {
  isEditing: boolean
  /** The rendered rows. */
  rows: readonly number[]
  /** Called when the editor opens or closes. */
  onEditing(isEditing: boolean): void
}

/** Holds the rendered rows while the editor is open. */
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
