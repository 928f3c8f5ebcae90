// Ctrl+Z (⌘Z) undoes the last action on the page. In a text field, it undoes typing.
import { isAbove, useKeyDown } from '../../ui/use-shortcuts.ts'
import { isWriting } from '../../ui/writing.ts'
import { editActionOf } from '../editing/keys.ts'
import { undoLast } from './undo-stack.ts'

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || editActionOf(event) !== 'undo') return
  if (isWriting(event.target) || isAbove()) return
  if (undoLast()) event.preventDefault()
}

export function UndoKeys() {
  useKeyDown(onKeyDown, window)
  return null
}
