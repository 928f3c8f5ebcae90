// The results of a report as a table with totals, as the text version of the chart. Only visible rows are rendered.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { ReportDefinition, ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { NO_VALUE } from './drawing.ts'
import { isNumeric, overlapNote, type Row, textOf } from './readings.ts'
import classes from './rows.module.css'
import { totalsOf } from './totals.ts'

interface ResultTableProps {
  definition: ReportDefinition
  results: ReportResults
  /** Maximum height in pixels. The rows scroll. */
  height?: number
}

const ROW_PX = 33
/** With fewer rows all are rendered, so that the browser's search finds them. */
const WINDOWED_FROM = 200
function Cell({ column, row, isFirst }: { column: ResultColumn; row: Row; isFirst: boolean }) {
  const value = row[column.key]
  const text = textOf(column, value)
  const isNone = column.role === 'dimension' && isEmpty(value)
  const shown = isNone ? <span className="muted">{NO_VALUE}</span> : text
  const props = { 'data-numeric': isNumeric(column) || undefined, title: text.length > 40 ? text : undefined }
  return isFirst && column.role === 'dimension' ? (
    <th scope="row" {...props}>
      {shown}
    </th>
  ) : (
    <td {...props}>{shown}</td>
  )
}

function TotalRow({ definition, results }: Pick<ResultTableProps, 'definition' | 'results'>) {
  const totals = useMemo(() => totalsOf(definition, results), [definition, results])
  if (!totals) return null
  const name = `Sum of ${results.truncated ? 'these ' : ''}${counted(results.rows.length, 'row')}`
  const first = totals[0] ?? []
  return (
    <tfoot>
      <tr>
        {first.length === 0 ? <th scope="row">{name}</th> : <td data-numeric>{first.join(' · ')}</td>}
        {results.columns.slice(1).map((column, index) => (
          <td key={column.key} data-numeric>
            {(totals[index + 1] ?? []).join(' · ')}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

export function ResultTable({ definition, results, height }: ResultTableProps) {
  const { columns, rows } = results
  const box = useRef<HTMLDivElement>(null)
  const note = rows.length > 1 ? overlapNote(columns) : undefined
  const isWindowed = rows.length > WINDOWED_FROM
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    enabled: isWindowed,
  })
  const items = virtual.getVirtualItems()
  const first = isWindowed ? (items[0]?.index ?? 0) : 0
  const end = isWindowed ? (items.at(-1)?.index ?? -1) + 1 : rows.length
  return (
    <section
      ref={box}
      className={classes.box}
      style={height === undefined ? undefined : { maxHeight: height }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      aria-label={`Rows of ${definition.name}`}
    >
      <table
        className={classes.table}
        data-windowed={isWindowed || undefined}
        // The total count includes rows that are not rendered, the head and the sums.
        aria-rowcount={isWindowed ? rows.length + 2 : undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-numeric={isNumeric(column) || undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={first * ROW_PX} columns={columns.length} />
          {rows.slice(first, end).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of results have no identity but their place
            <tr key={first + index} aria-rowindex={isWindowed ? first + index + 2 : undefined}>
              {columns.map((column, place) => (
                <Cell key={column.key} column={column} row={row} isFirst={place === 0} />
              ))}
            </tr>
          ))}
          <Space height={(rows.length - end) * ROW_PX} columns={columns.length} />
        </tbody>
        <TotalRow definition={definition} results={results} />
      </table>
      {note && <p className={classes.note}>{note}</p>}
    </section>
  )
}
