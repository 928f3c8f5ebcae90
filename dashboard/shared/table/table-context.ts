// Data and actions that all parts of a table share.
import type { ReactNode } from 'react'
import { requiredContext } from '../../ui/required-context.ts'
import type { CrmRecord } from '../api/records.ts'
import type { Sort } from '../filters/view-state.ts'
import type { CopiedCell } from './clipboard-html.ts'
import type { TableColumn } from './columns.ts'

export interface RowSelection {
  has(id: string): boolean
  /** `extend`: toggles all rows from the row that was toggled last. */
  toggle(row: number, extend: boolean): void
  toggleAll(): void
  isAll: boolean
  isSome: boolean
}

/** Rows by position in the table, both ends included. */
export interface RowRange {
  top: number
  bottom: number
}

export interface CellRange extends RowRange {
  columns: readonly TableColumn[]
}

export interface TableActions {
  /** Sets the new width of a column. */
  resize(slug: string, width: number): void
  move(slug: string, onto: string): void
  nudge(slug: string, by: -1 | 1): void
  /** Changes a cell from one value to another; null clears it. */
  edit(record: CrmRecord, column: TableColumn, from: unknown, to: unknown): void
  /** Clears all cells of the range. */
  clear(range: CellRange): void
  /** Repeats the cells of the range in other rows. */
  fill(from: CellRange, into: RowRange): void
  /** Pastes a block after a confirmation. */
  paste(range: CellRange, cells: readonly (readonly CopiedCell[])[]): void
  openRecord(record: CrmRecord): void
  peek(record: CrmRecord): void
}

export interface Table {
  org: string
  objectSlug: string
  rowHeight: number
  sort: readonly Sort[]
  selection: RowSelection
  actions: TableActions
  nameOf(record: CrmRecord): string
  /** Whether cells of the column can be edited. */
  isEditable(column: TableColumn): boolean
  /** The summary of a column; undefined if it has none. */
  summaryOf(column: TableColumn): { label: string; text: string } | undefined
  /** Items of the menu at a column's foot. */
  summaryMenuOf(column: TableColumn): ReactNode
  /** Items of the menu at a column's head. */
  menuOf(column: TableColumn): ReactNode
}

const [TableContext, useTable] = requiredContext<Table>('table')

export { useTable }
export const TableProvider = TableContext.Provider
