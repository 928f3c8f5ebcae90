// The rows of a table in their order, each with what tells it apart.

const idOf = (row: object, index: number) => ('id' in row ? String(row.id) : String(index))

interface Order<Row> {
  /** By default their `id`, or their index. */
  rowId?: ((row: Row, index: number) => string) | undefined
  /** The largest is first; equal ones stay as they were. By default, all stay as they were. */
  sortBy?: ((row: Row) => number) | undefined
}

export function orderedRows<Row extends object>(
  rows: readonly Row[],
  { rowId = idOf, sortBy }: Order<Row>,
): { id: string; row: Row }[] {
  const identified = rows.map((row, index) => ({ id: rowId(row, index), row }))
  return sortBy ? identified.toSorted((a, b) => sortBy(b.row) - sortBy(a.row)) : identified
}
