// A table with declared columns: renders its head and its rows in order, and hides columns on a phone.
// @tanstack/react-table is not used: it adds 7.6 kB (brotli) to the first load, and tables need only one sort of it.
import { ArrowDown } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { type Column, type Columns, columnId, type Sort } from './columns.ts'
import classes from './data-table.module.css'
import { orderedRows } from './ordered-rows.ts'

const join = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined

/** The attributes that the title and the cells of a column share. */
const columnProps = <Row,>({ kind, isFit, onlyWide, className }: Column<Row>) => ({
  className: join(
    isFit && classes.fit,
    onlyWide && classes.wide,
    kind === 'actions' && classes.rowAction,
    className,
  ),
  'data-numeric': kind === 'number' || undefined,
})

interface TitleProps<Row> {
  column: Column<Row>
  /** The rows are sorted by this column. */
  isSorted: boolean
  onSort(): void
}

function SortButton<Row>({ column: { title, sortHint }, isSorted, onSort }: TitleProps<Row>) {
  return (
    <button type="button" className="inline gap-4" title={sortHint} onClick={onSort}>
      {isSorted && <ArrowDown size={12} aria-hidden />}
      {title}
    </button>
  )
}

function Title<Row>(props: TitleProps<Row>) {
  const { column, isSorted } = props
  const { title, kind, width, sortBy } = column
  return (
    <th
      scope="col"
      {...columnProps(column)}
      aria-sort={isSorted ? 'descending' : undefined}
      style={width === undefined ? undefined : { width }}
    >
      {kind === 'actions' ? (
        <span className="visually-hidden">{title}</span>
      ) : sortBy ? (
        <SortButton {...props} />
      ) : (
        title
      )}
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const props = { ...columnProps(column), ...column.cellProps?.(row) }
  const content = column.cell(row)
  return column.kind === 'name' ? (
    <th scope="row" {...props}>
      {content}
    </th>
  ) : (
    <td {...props}>{content}</td>
  )
}

interface DataTableProps<Row> {
  columns: Columns<Row>
  rows: readonly Row[]
  /** The name of the table for screen readers. */
  label?: string
  /** A class that replaces the list style. Then `isFit`, `onlyWide` and `kind: 'actions'` of columns have no effect. */
  look?: string
  /** An additional class. */
  className?: string
  /** The titles are only for screen readers. */
  isHeadHidden?: boolean
  /** Shown instead of the table when there are no rows. */
  empty?: ReactNode
  /** The id of a row. By default its `id`, or its index. */
  rowId?(row: Row): string
  sort?: Sort
  /** The number of rendered rows. By default all. */
  limit?: number
  /** Renders a row that is more than its cells. */
  renderRow?(row: Row, cells: ReactNode): ReactNode
}

export function DataTable<Row extends object>({
  columns,
  rows,
  label,
  look = classes.table,
  className,
  isHeadHidden = false,
  empty,
  rowId,
  sort,
  limit = rows.length,
  renderRow = (_, cells) => <tr>{cells}</tr>,
}: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty
  const withIds = columns.map((column, index) => ({ id: columnId(column, index), column }))
  const sorted = withIds.find(({ id }) => id === sort?.by)
  const shown = orderedRows(rows, { rowId, sortBy: sorted?.column.sortBy }).slice(0, limit)
  return (
    <table className={join(look, className)} aria-label={label}>
      <thead className={isHeadHidden ? 'visually-hidden' : undefined}>
        <tr>
          {withIds.map(({ id, column }) => (
            <Title key={id} column={column} isSorted={id === sorted?.id} onSort={() => sort?.onChange(id)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ id: rowKey, row }) => (
          <Fragment key={rowKey}>
            {renderRow(
              row,
              withIds.map(({ id, column }) => <Cell key={id} column={column} row={row} />),
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
