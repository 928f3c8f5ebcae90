// Keys and clicks in the table: moving, marking, editing, selecting, copying and pasting.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Move } from './cell-editor.tsx'
import { edit, onKey, placeOf, type Session } from './grid-commands.ts'
import { clampPlace, type Extent, type GridState, goTo, HEAD, nextCell, type Place } from './grid-state.ts'
import { useTable } from './table-context.ts'
import { useClipboard } from './use-clipboard.ts'
import { type Grid, useFocusedState } from './use-focused-state.ts'

export interface GridKeys {
  state: GridState
  /** An editor was left. */
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

const AFTER: Readonly<Record<Move, (place: Place, extent: Extent) => Place>> = {
  stay: (place) => place,
  away: (place) => place,
  down: ({ row, column }, { rows }) => ({ row: Math.min(rows - 1, row + 1), column }),
  next: (place, extent) => nextCell(place, 1, extent),
  previous: (place, extent) => nextCell(place, -1, extent),
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input') !== null

function onClick(event: MouseEvent, { state, extent, go, mark }: Session): void {
  const place = placeOf(event.target)
  if (!place || state.editing) return
  const next = goTo(state, clampPlace(place, extent), event.shiftKey && place.row !== HEAD)
  // A link or a head keeps the focus, and is what the next key means.
  if (isControl(event.target)) mark(next)
  else go(next)
}

function onDoubleClick(event: MouseEvent, session: Session): void {
  const place = placeOf(event.target)
  if (!place || place.row === HEAD || isControl(event.target)) return
  edit({ ...session, state: goTo(session.state, place) })
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
