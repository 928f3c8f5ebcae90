// What every part of a table needs to know.
import { createContext, type ReactNode, useContext } from 'react'
import type { CrmRecord } from '../api/records.ts'
import type { Sort } from '../filters/view-state.ts'
import type { CopiedCell } from './clipboard-html.ts'
import type { TableColumn } from './columns.ts'

export interface RowSelection {
  has(id: string): boolean
  /** `extend`: all from the one toggled before. */
  toggle(row: number, extend: boolean): void
  toggleAll(): void
  isAll: boolean
  isSome: boolean
}

/** Rows by their place in the table, both ends included. */
export interface RowRange {
  top: number
  bottom: number
}

export interface CellRange extends RowRange {
  columns: readonly TableColumn[]
}

export interface TableActions {
  /** The column's new width. */
  resize(slug: string, width: number): void
  move(slug: string, onto: string): void
  nudge(slug: string, by: -1 | 1): void
  /** The value a cell shall have; null clears it. */
  edit(record: CrmRecord, column: TableColumn, from: unknown, to: unknown): void
  /** Takes the values of all cells of the range away. */
  clear(range: CellRange): void
  /** Repeats the cells of the range in other rows. */
  fill(from: CellRange, into: RowRange): void
  /** Asks before a block is pasted. */
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
  /** Is this cell one to edit? */
  isEditable(column: TableColumn): boolean
  /** What is said of all values of a column; undefined for nothing. */
  summaryOf(column: TableColumn): { label: string; text: string } | undefined
  /** Items of the menu of a column's foot. */
  summaryMenuOf(column: TableColumn): ReactNode
  /** Items of the menu of a column's head. */
  menuOf(column: TableColumn): ReactNode
}

const TableContext = createContext<Table | undefined>(undefined)
export const TableProvider = TableContext.Provider

export function useTable(): Table {
  const table = useContext(TableContext)
  if (!table) throw new Error('There is no table around this')
  return table
}
