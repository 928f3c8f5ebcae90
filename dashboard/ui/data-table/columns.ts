// The declaration of a table: its columns, and the order of its rows.
import type { ComponentProps, ReactNode } from 'react'

interface CellName {
  /** Names the value where the titles of columns are hidden. */
  'data-named'?: string
}

/** A column: its title, and its cell in each row. */
export interface Column<Row> {
  /** Identifies the column for sorting. By default, its index. */
  id?: string
  title: ReactNode
  cell(row: Row): ReactNode
  /** `name`: the cell names the row. `actions`: buttons, with a title only for screen readers. */
  kind?: 'name' | 'number' | 'actions' | undefined
  /** The column is as wide as its longest content. Other columns share the remaining width. */
  isFit?: boolean
  /** The column is hidden where there is too little room. */
  onlyWide?: boolean
  /** Width in pixels. */
  width?: number
  /** Class of the title and the cells. */
  className?: string | undefined
  /** Attributes of the cell in a row. */
  cellProps?(row: Row): Pick<ComponentProps<'td'>, 'aria-label' | 'style' | 'title'> & CellName
  /** The sort value of a row. Pressing the title sorts by it, largest first. */
  sortBy?(row: Row): number
  /** The tooltip of the title button, which explains the order. */
  sortHint?: string
}

export type Columns<Row> = readonly Column<Row>[]

/** The current order of the rows, largest first. The page holds this state. */
export interface Sort {
  /** The id of the sorted column. */
  by: string | undefined
  onChange(id: string): void
}

export const columnId = ({ id }: Pick<Column<never>, 'id'>, index: number) => id ?? String(index)
