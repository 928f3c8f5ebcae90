// Sorts the rows of a table, and gives each row an id.

const idOf = (row: object, index: number) => ('id' in row ? String(row.id) : String(index))

interface Order<Row> {
  /** The id of a row. By default its `id`, or its index. */
  rowId?: ((row: Row, index: number) => string) | undefined
  /** Sorts the largest value first and keeps the order of equal rows. Without it, the order does not change. */
  sortBy?: ((row: Row) => number) | undefined
}

export function orderedRows<Row extends object>(
  rows: readonly Row[],
  { rowId = idOf, sortBy }: Order<Row>,
): { id: string; row: Row }[] {
  const identified = rows.map((row, index) => ({ id: rowId(row, index), row }))
  return sortBy ? identified.toSorted((a, b) => sortBy(b.row) - sortBy(a.row)) : identified
}
