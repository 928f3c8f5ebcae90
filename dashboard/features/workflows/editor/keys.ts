// The keyboard shortcuts of the editor, which act on the focused step.
import type { Key } from '../../../shared/editing/keys.ts'
import type { Direction } from './edits.ts'

export type KeyAction =
  | { does: 'travel' | 'move'; direction: Direction }
  | { does: 'open' | 'add' | 'remove' | 'duplicate' | 'test' }

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

export function actionOf({ key, altKey, shiftKey, ctrlKey, metaKey }: Key): KeyAction | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return name === 'd' && !altKey && !shiftKey ? { does: 'duplicate' } : undefined
  const direction = ARROWS[key]
  if (direction) return shiftKey ? undefined : { does: altKey ? 'move' : 'travel', direction }
  // On many keyboards, a plus requires Shift.
  return altKey || (shiftKey && name !== '+') ? undefined : PLAIN[name]
}
