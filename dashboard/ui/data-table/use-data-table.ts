// The state of a table, held by React Table: the identity of its rows, and their order.
import {
  type ColumnSort,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

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
  /** In pixels. */
  width?: number
  /** Of the cell in a row. */
  cellProps?(row: Row): ComponentProps<'td'>
  /** What rows are sorted by when its title is pressed, largest first. */
  sortBy?(row: Row): number
  /** What the button of its title says about the order. */
  sortHint?: string
}

export type Columns<Row> = readonly Column<Row>[]

/** The order of rows, which the page holds. */
export interface Sort {
  by: ColumnSort | undefined
  onChange(by: ColumnSort): void
}

export const columnId = ({ id }: Pick<Column<never>, 'id'>, index: number) => id ?? String(index)

const idOf = (row: object, index: number) => ('id' in row ? String(row.id) : String(index))

interface DataTableState<Row> {
  columns: Columns<Row>
  rows: readonly Row[]
  /** By default their `id`, or their index. */
  rowId?: ((row: Row) => string) | undefined
  sort?: Sort | undefined
}

/** @returns the table, whose row model has the rows in their order */
export function useDataTable<Row extends object>({ columns, rows, rowId, sort }: DataTableState<Row>) {
  const sorting = sort?.by ? [sort.by] : []
  return useTable({
    features,
    data: rows,
    columns: columns.map(({ id, sortBy }, index) => ({
      id: columnId({ id }, index),
      ...(sortBy && { accessorFn: sortBy, sortDescFirst: true }),
    })),
    getRowId: rowId ?? idOf,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (update) => {
      const [by] = typeof update === 'function' ? update(sorting) : update
      if (by) sort?.onChange(by)
    },
  })
}
