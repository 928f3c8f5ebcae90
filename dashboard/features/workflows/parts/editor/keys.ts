// Which key of the editor does what, on the step that has the focus.
import type { Direction } from './edits.ts'

export type KeyAction =
  | { does: 'travel' | 'move'; direction: Direction }
  | { does: 'open' | 'add' | 'remove' | 'duplicate' | 'undo' | 'redo' | 'save' | 'test' }

export type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

const PLAIN: Readonly<Record<string, KeyAction>> = {
  Enter: { does: 'open' },
  a: { does: 'add' },
  '+': { does: 'add' },
  t: { does: 'test' },
  Delete: { does: 'remove' },
  Backspace: { does: 'remove' },
}

const WITH_MOD: Readonly<Record<string, KeyAction>> = {
  z: { does: 'undo' },
  y: { does: 'redo' },
  d: { does: 'duplicate' },
  s: { does: 'save' },
}

export function actionOf({ key, altKey, shiftKey, ctrlKey, metaKey }: Key): KeyAction | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key
  if (ctrlKey || metaKey) {
    if (altKey) return undefined
    return shiftKey && name === 'z' ? { does: 'redo' } : shiftKey ? undefined : WITH_MOD[name]
  }
  const direction = ARROWS[key]
  if (direction) return shiftKey ? undefined : { does: altKey ? 'move' : 'travel', direction }
  // A plus needs Shift on many keyboards.
  return altKey || (shiftKey && name !== '+') ? undefined : PLAIN[name]
}
