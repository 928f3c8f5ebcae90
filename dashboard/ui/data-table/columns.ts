// What a table is declared by: its columns, and the order of its rows.
import type { ComponentProps, ReactNode } from 'react'

/** A column: what is above it, and what each row has in it. */
export interface Column<Row> {
  /** What sorting names it by; by default, its index. */
  id?: string
  title: ReactNode
  cell(row: Row): ReactNode
  /** `name`: what its row is called. `actions`: buttons; its title is only read aloud. */
  kind?: 'name' | 'number' | 'actions' | undefined
  /** It is as wide as its longest content; the others share what is left. */
  isFit?: boolean
  /** It is left out where there is no room. */
  onlyWide?: boolean
  /** Of its title and its cells. */
  className?: string | undefined
  /** Of the cell in a row. */
  cellProps?(row: Row): Pick<ComponentProps<'td'>, 'aria-label' | 'style'>
  /** What rows are sorted by when its title is pressed, largest first. */
  sortBy?(row: Row): number
  /** What the button of its title says about the order. */
  sortHint?: string
}

export type Columns<Row> = readonly Column<Row>[]

/** The order of rows, which the page holds: largest first. */
export interface Sort {
  /** The id of the column they are sorted by. */
  by: string | undefined
  onChange(id: string): void
}

export const columnId = ({ id }: Pick<Column<never>, 'id'>, index: number) => id ?? String(index)
