// Keys and clicks in the table: move, mark, edit, select, copy and paste.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Move } from './cell-editor.tsx'
import { edit, gridPositionOf, onKey, type Session } from './grid-commands.ts'
import {
  clampPosition,
  type Extent,
  type GridPosition,
  type GridState,
  goTo,
  HEAD,
  nextCell,
} from './grid-state.ts'
import { useTable } from './table-context.ts'
import { useClipboard } from './use-clipboard.ts'
import { type Grid, useFocusedState } from './use-focused-state.ts'

export interface GridKeys {
  state: GridState
  /** Called when an editor closes. */
  onDone(move: Move): void
  handlers: {
    onKeyDown(event: KeyboardEvent): void
    onClick(event: MouseEvent): void
    onDoubleClick(event: MouseEvent): void
    onCopy(event: ClipboardEvent): void
    onCut(event: ClipboardEvent): void
    onPaste(event: ClipboardEvent): void
  }
}

const AFTER: Readonly<Record<Move, (position: GridPosition, extent: Extent) => GridPosition>> = {
  stay: (position) => position,
  away: (position) => position,
  down: ({ row, column }, { rows }) => ({ row: Math.min(rows - 1, row + 1), column }),
  next: (position, extent) => nextCell(position, 1, extent),
  previous: (position, extent) => nextCell(position, -1, extent),
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input') !== null

function onClick(event: MouseEvent, { state, extent, go, mark }: Session): void {
  const position = gridPositionOf(event.target)
  if (!position || state.editing) return
  const next = goTo(state, clampPosition(position, extent), event.shiftKey && position.row !== HEAD)
  // A link or a head keeps the focus, so the next key applies to it.
  if (isControl(event.target)) mark(next)
  else go(next)
}

function onDoubleClick(event: MouseEvent, session: Session): void {
  const position = gridPositionOf(event.target)
  if (!position || position.row === HEAD || isControl(event.target)) return
  edit({ ...session, state: goTo(session.state, position) })
}

export function useGridKeys(grid: Grid): GridKeys {
  const table = useTable()
  const session: Session = { ...useFocusedState(grid), grid, table }
  const latest = useRef(session)
  useLayoutEffect(() => {
    latest.current = session
  })
  const onDone = useCallback((move: Move) => {
    const now = latest.current
    const next = goTo(now.state, AFTER[move](now.state.active, now.extent))
    if (move === 'away') now.mark(next)
    else now.go(next)
  }, [])
  return {
    state: session.state,
    onDone,
    handlers: {
      onKeyDown: (event) => onKey(event, session),
      onClick: (event) => onClick(event, session),
      onDoubleClick: (event) => onDoubleClick(event, session),
      ...useClipboard(session),
    },
  }
}
