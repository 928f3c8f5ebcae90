// Undo, redo and save by keyboard, anywhere on the page of an editor.
import { useWindowEvent } from '@mantine/hooks'
import { isAbove } from '../../ui/use-shortcuts.ts'
import { type EditAction, editActionOf } from './keys.ts'

/** In text fields, undo and other keys are left to the browser. */
export const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input:not([type=radio]), textarea, [contenteditable]')

export function useEditingKeys(actions: Record<EditAction, () => void>): void {
  useWindowEvent('keydown', (event) => {
    const does = event.defaultPrevented ? undefined : editActionOf(event)
    if (!does || (does !== 'save' && (isField(event.target) || isAbove()))) return
    event.preventDefault()
    if (!isAbove()) actions[does]()
  })
}
