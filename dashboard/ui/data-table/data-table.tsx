// A table whose columns are declared as data: its head, its rows, their order, and what is left out on a phone.
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import classes from './data-table.module.css'
import { type Column, type Columns, columnId, type Sort, useDataTable } from './use-data-table.ts'

const join = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined

/** What the title of a column and its cells have in common. */
const lookOf = <Row,>({ kind, isFit, onlyWide, className, width }: Column<Row>) => ({
  className: join(
    isFit && classes.fit,
    onlyWide && classes.wide,
    kind === 'actions' && classes.rowAction,
    className,
  ),
  style: width === undefined ? undefined : { width, maxWidth: width },
  'data-numeric': kind === 'number' || undefined,
})

interface SortButtonProps {
  direction: 'asc' | 'desc' | false
  hint: string | undefined
  onClick(): void
  children: ReactNode
}

function SortButton({ direction, hint, onClick, children }: SortButtonProps) {
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <button type="button" className="inline gap-4" title={hint} onClick={onClick}>
      {direction && <Arrow size={12} aria-hidden />}
      {children}
    </button>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

interface TitleProps<Row> {
  column: Column<Row>
  direction: 'asc' | 'desc' | false
  onSort(): void
}

function Title<Row>({ column, direction, onSort }: TitleProps<Row>) {
  const { title, kind, sortBy, sortHint } = column
  return (
    <th scope="col" {...lookOf(column)} aria-sort={direction ? ARIA_SORT[direction] : undefined}>
      {kind === 'actions' ? (
        <span className="visually-hidden">{title}</span>
      ) : sortBy ? (
        <SortButton direction={direction} hint={sortHint} onClick={onSort}>
          {title}
        </SortButton>
      ) : (
        title
      )}
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const props = { ...lookOf(column), ...column.cellProps?.(row) }
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
  /** Its look, in place of that of lists. */
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
  className = classes.table,
  isHeadHidden = false,
  rowId,
  sort,
  limit = rows.length,
  renderRow = (_, cells) => <tr>{cells}</tr>,
}: DataTableProps<Row>) {
  const table = useDataTable({ columns, rows, rowId, sort })
  const keyed = columns.map((column, index) => ({ key: columnId(column, index), column }))
  return (
    <table className={className} aria-label={label}>
      <thead className={isHeadHidden ? 'visually-hidden' : undefined}>
        <tr>
          {keyed.map(({ key, column }) => (
            <Title
              key={key}
              column={column}
              direction={table.getColumn(key)?.getIsSorted() ?? false}
              onSort={() => table.getColumn(key)?.toggleSorting()}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {table
          .getRowModel()
          .rows.slice(0, limit)
          .map(({ id, original }) => (
            <Fragment key={id}>
              {renderRow(
                original,
                keyed.map(({ key, column }) => <Cell key={key} column={column} row={original} />),
              )}
            </Fragment>
          ))}
      </tbody>
    </table>
  )
}
