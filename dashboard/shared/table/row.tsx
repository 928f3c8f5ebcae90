// One row. Its checkbox and name stay on the left, followed by the visible cells.
import { Skeleton, Tooltip } from '@mantine/core'
import { PanelRight, TriangleAlert } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { TYPES } from '../../types/types.ts'
import type { CrmRecord } from '../api/records.ts'
import { recordPaths } from '../paths.ts'
import { RecordAvatar } from '../records/record-picture.tsx'
import { useRefusal } from '../records/refused-values.ts'
import cells from './cell.module.css'
import { CellEditor, type Move } from './cell-editor.tsx'
import { CellView } from './cell-view.tsx'
import type { TableColumn } from './columns.ts'
import classes from './grid.module.css'
import type { Editing } from './grid-state.ts'
import { useTable } from './table-context.ts'

/** A visible column with its position. */
export interface PlacedColumn {
  column: TableColumn
  /** The index among the visible columns. 0 is the name. */
  index: number
  left: number
}

export interface RowProps {
  row: number
  top: number
  record: CrmRecord | undefined
  isSelected: boolean
  name: TableColumn
  nameWidth: number
  others: readonly PlacedColumn[]
  width: number
  /** The column of the active cell, if it is in this row. */
  active: number | undefined
  /** How the active cell is edited. */
  editing: Editing | undefined
  /** The first and last marked column of this row. */
  marked: readonly [number, number] | undefined
  onDone(move: Move): void
}

export const cellId = (row: number, column: number) => `cell-${row}-${column}`

interface CellProps extends Pick<RowProps, 'row' | 'record' | 'active' | 'editing' | 'marked' | 'onDone'> {
  column: TableColumn
  index: number
  style: CSSProperties
  children: ReactNode
}

/** Numbers are right-aligned, so that their digits line up. */
export const isNumeric = ({ attribute }: TableColumn): boolean =>
  attribute !== undefined && !attribute.isList && TYPES[attribute.type].isNumeric === true

const FIRST = { order: -1 }

/**
 * The reason why a cell was not saved. Screen readers read it with the cell. It is visible while the cell is active.
 */
function Refusal({ reason, isShown }: { reason: string; isShown: boolean }) {
  return (
    <Tooltip
      label={`Not saved: ${reason}`}
      opened={isShown || undefined}
      multiline
      maw={320}
      position="top-start"
    >
      <span className="inline fixed danger" style={FIRST} role="img" aria-label={`Not saved: ${reason}`}>
        <TriangleAlert size={14} aria-hidden />
      </span>
    </Tooltip>
  )
}

/** A cell. While it is edited, the editor is above it. */
function Cell({ row, record, active, editing, marked, onDone, column, index, style, children }: CellProps) {
  const isActive = active === index
  const isMarked = marked !== undefined && marked[0] <= index && index <= marked[1]
  const refusal = useRefusal(record?.id, column.slug)
  return (
    <div
      id={cellId(row, index)}
      role={index === 0 ? 'rowheader' : 'gridcell'}
      aria-colindex={index + 2}
      aria-selected={isMarked || undefined}
      tabIndex={isActive ? 0 : -1}
      data-row={row}
      data-column={index}
      data-marked={isMarked || undefined}
      aria-invalid={refusal !== undefined || undefined}
      data-align={isNumeric(column) ? 'end' : undefined}
      className={cells.cell}
      style={style}
    >
      {children}
      {refusal !== undefined && <Refusal reason={refusal} isShown={isActive && !editing} />}
      {isActive && editing && record && (
        <CellEditor column={column} record={record} isTyped={editing === 'typed'} onDone={onDone} />
      )}
    </div>
  )
}

function RowCheckbox({ row, record, isSelected }: Pick<RowProps, 'row' | 'record' | 'isSelected'>) {
  const { nameOf, selection } = useTable()
  return (
    <div role="gridcell" aria-colindex={1} className={classes.check}>
      {record && (
        <input
          type="checkbox"
          checked={isSelected}
          tabIndex={-1}
          aria-label={`Select ${nameOf(record)}`}
          title="Select (Space)"
          onChange={({ nativeEvent }) =>
            selection.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      )}
    </div>
  )
}

/** A plain link: a router link in every row would slow down scrolling. */
function NameContent({ record }: { record: CrmRecord }) {
  const { org, objectSlug, nameOf, actions } = useTable()
  const name = nameOf(record)
  return (
    <>
      <RecordAvatar object={objectSlug} recordId={record.id} name={name} size={20} />
      <a
        href={recordPaths.record(org, objectSlug, record.id)}
        className="truncate medium underlined"
        title={name}
        tabIndex={-1}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          actions.openRecord(record)
        }}
      >
        {name}
      </a>
      <button
        type="button"
        className={cells.button}
        aria-label={`Quick look at ${name}`}
        title="Quick look (⇧ Enter)"
        tabIndex={-1}
        onClick={() => actions.peek(record)}
      >
        <PanelRight size={14} aria-hidden />
      </button>
    </>
  )
}

const Loading = () => <Skeleton height={10} width="60%" opacity={0.7} />

function RowCells(props: RowProps) {
  const { record, name, nameWidth, others } = props
  return (
    <>
      <div role="presentation" className={classes.frozen} style={{ width: 40 + nameWidth }}>
        <RowCheckbox row={props.row} record={record} isSelected={props.isSelected} />
        <Cell {...props} column={name} index={0} style={{ width: nameWidth }}>
          {record ? <NameContent record={record} /> : <Loading />}
        </Cell>
      </div>
      {others.map(({ column, index, left }) => (
        <Cell
          key={column.slug}
          {...props}
          column={column}
          index={index}
          style={{ position: 'absolute', top: 0, left: 40 + nameWidth + left, width: column.width }}
        >
          {record ? <CellView column={column} record={record} /> : <Loading />}
        </Cell>
      ))}
    </>
  )
}

export const Row = memo(function Row(props: RowProps) {
  const { rowHeight } = useTable()
  const { row, top, width, isSelected } = props
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={classes.row}
      data-selected={isSelected || undefined}
      style={{ height: rowHeight, width, top }}
    >
      <RowCells {...props} />
    </div>
  )
})
