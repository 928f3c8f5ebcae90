// What every part of a table needs to know.
import { createContext, type ReactNode, useContext } from 'react'
import type { CrmRecord } from '../api/records.ts'
import type { Sort } from '../filters/view-state.ts'
import type { TableColumn } from './columns.ts'

export interface RowSelection {
  has(id: string): boolean
  /** `extend`: all from the one toggled before. */
  toggle(row: number, extend: boolean): void
  toggleAll(): void
  isAll: boolean
  isSome: boolean
}

export interface TableActions {
  /** The column's new width. */
  resize(slug: string, width: number): void
  move(slug: string, onto: string): void
  nudge(slug: string, by: -1 | 1): void
  /** The value a cell shall have; null clears it. */
  edit(record: CrmRecord, column: TableColumn, from: unknown, to: unknown): void
  openRecord(record: CrmRecord): void
  peek(record: CrmRecord): void
}

export interface Table {
  org: string
  objectSlug: string
  rowHeight: number
  sort: Sort | null
  selection: RowSelection
  actions: TableActions
  nameOf(record: CrmRecord): string
  /** Is this cell one to edit? */
  isEditable(column: TableColumn): boolean
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
