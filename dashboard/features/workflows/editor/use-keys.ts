// The editor by keyboard: see `actionOf` for which key does what.
import { useWindowEvent } from '@mantine/hooks'
import { isAbove } from '../../../ui/use-shortcuts.ts'
import { isLast } from '../canvas/layout.ts'
import type { Editor } from './editor-context.ts'
import { duplicateStep, type Edited, removeStep, shiftStep } from './edits.ts'
import { focusAfterEdit, focusedStop } from './focus.ts'
import { actionOf, type KeyAction } from './keys.ts'
import { type Place, placeOf, stepAt } from './step-tree.ts'
import { type Stop, TRIGGER_STOP, travel } from './travel.ts'

/** Behind the step; before one that ends the run, where nothing comes after it. */
function placeAfter({ definition }: Editor, stop: Stop): Place {
  if (stop === TRIGGER_STOP) return { list: 'steps', index: 0 }
  const place = placeOf(stop.replace('+', ''))
  const step = stop.startsWith('+') ? undefined : stepAt(definition, stop)
  return !step || isLast(step) ? place : { ...place, index: place.index + 1 }
}

function change(
  editor: Editor,
  edit: (definition: Editor['definition'], path: string) => Edited,
  stop: Stop,
) {
  if (stop === TRIGGER_STOP || stop.startsWith('+')) return
  const { selected } = edit(editor.definition, stop)
  editor.edit((definition) => edit(definition, stop))
  focusAfterEdit(selected ?? TRIGGER_STOP)
}

/** Tab leads to steps that are not selected. */
function open({ select, openPanel }: Editor, stop: Stop) {
  select(stop === TRIGGER_STOP ? undefined : stop)
  openPanel()
}

function testUpTo(editor: Editor, stop: Stop) {
  const { testing, definition } = editor
  open(editor, stop)
  void testing.run(stepAt(definition, stop)?.key)
}

/** What needs a step that has the focus. @returns whether it was that */
function onStop(editor: Editor, action: KeyAction, stop: Stop): boolean {
  const next = action.does === 'travel' && travel(editor.definition, stop, action.direction)
  if (next) editor.go(next)
  else if (action.does === 'move') change(editor, (all, at) => shiftStep(all, at, action.direction), stop)
  else if (action.does === 'add') editor.add(placeAfter(editor, stop))
  else if (action.does === 'remove') change(editor, removeStep, stop)
  else if (action.does === 'duplicate') change(editor, duplicateStep, stop)
  else if (action.does === 'open' && !stop.startsWith('+')) open(editor, stop)
  else if (action.does === 'test' && !stop.startsWith('+')) testUpTo(editor, stop)
  else return action.does === 'travel'
  return true
}

/** What is meant wherever the focus is. @returns whether it was that */
function anywhere(editor: Editor, { does }: KeyAction): boolean {
  if (does === 'save') void editor.saving.save()
  else if (does === 'undo') editor.undo()
  else if (does === 'redo') editor.redo()
  else return false
  return true
}

/** A field undoes its own typing. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Esc goes from the form back to its step; one that closes a list of choices does only that. */
const leavesForm = ({ key, target }: KeyboardEvent) =>
  key === 'Escape' &&
  target instanceof HTMLElement &&
  target.closest('[data-editor-form]') !== null &&
  target.getAttribute('aria-expanded') !== 'true'

export function useKeys(editor: Editor): void {
  useWindowEvent('keydown', (event) => {
    if (!event.defaultPrevented && !isAbove() && leavesForm(event)) return editor.closePanel()
    const action = event.defaultPrevented || isAbove() ? undefined : actionOf(event)
    if (!action || (isField(event.target) && action.does !== 'save')) return
    const isNowhere = document.activeElement === document.body
    const stop = isNowhere ? (editor.selected ?? TRIGGER_STOP) : focusedStop()
    const isDone = anywhere(editor, action) || (stop !== undefined && onStop(editor, action, stop))
    if (isDone) event.preventDefault()
  })
}
