// The builder by keyboard: saving, taking back and redoing from anywhere.
import { useWindowEvent } from '@mantine/hooks'
import { editActionOf } from '../../../../shared/editing/keys.ts'
import { isAbove } from '../../../../ui/use-shortcuts.ts'
import type { Builder } from './builder-context.ts'

/** A field undoes its own typing. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input:not([type=radio]), textarea, [contenteditable]')

export function useKeys({ saving, undo, redo, readOnlyReason }: Builder): void {
  useWindowEvent('keydown', (event) => {
    const does = event.defaultPrevented ? undefined : editActionOf(event)
    if (does === 'save') {
      event.preventDefault()
      if (readOnlyReason === undefined && !saving.isBusy) void saving.save()
    } else if ((does === 'undo' || does === 'redo') && !isField(event.target) && !isAbove()) {
      event.preventDefault()
      if (does === 'undo') undo()
      else redo()
    }
  })
}
