// A table whose columns are declared as data: its head, its rows, their order, and what is left out on a phone.
import { ArrowDown } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { type Column, type Columns, columnId, type Sort } from './columns.ts'
import classes from './data-table.module.css'
import { orderedRows } from './ordered-rows.ts'

const join = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined

/** The attributes that the title of a column and its cells have in common. */
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
  /** Rows are sorted by it. */
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
  const { title, kind, sortBy } = column
  return (
    <th scope="col" {...columnProps(column)} aria-sort={isSorted ? 'descending' : undefined}>
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
  /** What it is called, for those who hear it. */
  label?: string
  /** A class in place of the look of lists: then `isFit`, `onlyWide` and `kind: 'actions'` of columns have no look. */
  look?: string
  /** A class that is added to its look. */
  className?: string
  /** Its titles are only read aloud. */
  isHeadHidden?: boolean
  /** By default their `id`, or their index. */
  rowId?(row: Row): string
  sort?: Sort
  /** How many rows are drawn; by default all. */
  limit?: number
  /** The row itself, where it is more than its cells. */
  renderRow?(row: Row, cells: ReactNode): ReactNode
}

export function DataTable<Row extends object>({
  columns,
  rows,
  label,
  look = classes.table,
  className,
  isHeadHidden = false,
  rowId,
  sort,
  limit = rows.length,
  renderRow = (_, cells) => <tr>{cells}</tr>,
}: DataTableProps<Row>) {
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
