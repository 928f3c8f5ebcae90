// The table grid, which can have any length: only visible rows and columns are rendered.
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { TableColumn } from './columns.ts'
import { Foot } from './foot.tsx'
import classes from './grid.module.css'
import { type GridState, HEAD, rangeOf } from './grid-state.ts'
import { Head } from './head.tsx'
import { type PlacedColumn, Row } from './row.tsx'
import { columnWindow, type RowWindow, rowWindow, spans } from './row-window.ts'
import { useTable } from './table-context.ts'
import { type GridKeys, useGridKeys } from './use-grid-keys.ts'
import { type ShownRows, useHeldRows, useHold } from './use-held-rows.ts'
import { useViewport, type Viewport } from './use-viewport.ts'

export const HEAD_HEIGHT = 36
const CHECK_WIDTH = 40
/** On a narrow screen, the name column takes at most half of the width. */
const NAME_SHARE = 0.5

interface GridProps extends ShownRows {
  label: string
  isStale: boolean
  /** The content of the foot below the name column. */
  foot: ReactNode
  /** A new value means other rows: the table scrolls to the top. */
  set: unknown
  /** Called with the visible rows, `[first, end)`. */
  onSight(first: number, end: number): void
  /** Called when the editor of a cell opens or closes. */
  onEditing(isEditing: boolean): void
}

interface Layout {
  name: TableColumn
  nameWidth: number
  /** All columns except the name, visible or not. */
  placed: readonly PlacedColumn[]
  width: number
}

function useLayout(columns: readonly TableColumn[], screen: number): Layout {
  return useMemo(() => {
    const [name, ...others] = columns as [TableColumn, ...TableColumn[]]
    const nameWidth = Math.max(120, Math.min(name.width, Math.floor((screen - CHECK_WIDTH) * NAME_SHARE)))
    const places = spans(others.map(({ width }) => width))
    const placed = others.map((column, at) => ({ column, index: at + 1, left: places[at]?.left ?? 0 }))
    const last = places.at(-1)
    return { name, nameWidth, placed, width: CHECK_WIDTH + nameWidth + (last ? last.left + last.width : 0) }
  }, [columns, screen])
}

/** The visible columns, and the active one, which must keep the focus. */
function useColumnsInSight({ placed, nameWidth }: Layout, { left, width }: Viewport, active: number) {
  const seen = width - CHECK_WIDTH - nameWidth
  const [first, end] = columnWindow(
    placed.map((one) => ({ left: one.left, width: one.column.width })),
    left,
    seen,
  )
  return useMemo(
    () => placed.filter(({ index }) => (index > first && index <= end) || index === active),
    [placed, first, end, active],
  )
}

/** The visible rows, and the active one. */
function rowsInSight({ first, end }: RowWindow, { row }: { row: number }, total: number): number[] {
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  return row >= 0 && row < total && (row < first || row >= end) ? [...rows, row] : rows
}

interface RowsProps extends Pick<GridProps, 'at' | 'total'> {
  layout: Layout
  others: readonly PlacedColumn[]
  window: RowWindow
  state: GridState
  keys: GridKeys
}

function GridRows({ at, total, layout, others, window, state, keys }: RowsProps) {
  const { selection } = useTable()
  const { top, bottom, left, right } = rangeOf(state)
  const isRange = top !== bottom || left !== right
  const marked = useMemo(() => [left, right] as const, [left, right])
  return rowsInSight(window, state.active, total).map((row) => {
    const record = at(row)
    const isActive = state.active.row === row
    return (
      <Row
        key={row}
        row={row}
        top={window.topOf(row)}
        record={record}
        isSelected={record !== undefined && selection.has(record.id)}
        name={layout.name}
        nameWidth={layout.nameWidth}
        others={others}
        width={layout.width}
        active={isActive ? state.active.column : undefined}
        editing={isActive ? state.editing : undefined}
        marked={isRange && row >= top && row <= bottom ? marked : undefined}
        onDone={keys.onDone}
      />
    )
  })
}

/** Scrolls to the top when `set` changes. */
function useBeginAtTop(ref: RefObject<HTMLElement | null>, set: unknown) {
  const shown = useRef(set)
  useEffect(() => {
    if (shown.current !== set) ref.current?.scrollTo({ top: 0 })
    shown.current = set
  }, [ref, set])
}

/** The visible part of the table, and its state. */
function useGrid(
  ref: RefObject<HTMLDivElement | null>,
  { set, onSight, onEditing, ...rows }: Omit<GridProps, 'foot'>,
) {
  const [viewport, onScroll] = useViewport(ref)
  const { rowHeight } = useTable()
  const held = useHeldRows(rows)
  const { columns, total, at } = held.shown
  const layout = useLayout(columns, viewport.width)
  const height = Math.max(rowHeight, viewport.height - HEAD_HEIGHT)
  const window = rowWindow({ top: viewport.top, height, rowHeight, total })
  const keys = useGridKeys({ ref, columns, total, at, set, rowHeight, height, layout })
  const { state } = keys
  const others = useColumnsInSight(layout, viewport, state.active.column)
  useBeginAtTop(ref, set)
  const drawn = rowsInSight(window, state.active, total)
  useHold(held, { isEditing: state.editing !== undefined, rows: drawn, onEditing })
  const { first, end } = window
  useEffect(() => onSight(first, end), [onSight, first, end])
  return { at, total, columns, layout, others, window, state, keys, onScroll, left: viewport.left }
}

export function Grid({ foot, ...props }: GridProps) {
  const ref = useRef<HTMLDivElement>(null)
  const { onScroll, left, ...grid } = useGrid(ref, props)
  const { columns, layout, others, state, keys, total, window } = grid
  const { label, isStale } = props
  return (
    <>
      <div
        ref={ref}
        tabIndex={-1}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-busy={isStale}
        className={classes.grid}
        onScroll={onScroll}
        {...keys.handlers}
      >
        <Head
          name={layout.name}
          nameWidth={layout.nameWidth}
          width={layout.width}
          others={others}
          active={state.active.row === HEAD ? state.active.column : undefined}
        />
        <div
          role="rowgroup"
          className={classes.body}
          data-stale={isStale || undefined}
          style={{ height: window.contentHeight, width: layout.width, minWidth: '100%' }}
        >
          <GridRows {...grid} />
        </div>
      </div>
      <Foot nameWidth={CHECK_WIDTH + layout.nameWidth} others={others} scrolled={left}>
        {foot}
      </Foot>
    </>
  )
}
