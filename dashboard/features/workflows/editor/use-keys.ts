// Keyboard control of the editor. `actionOf` defines the keys.
import { useWindowEvent } from '@mantine/hooks'
import { isField, useEditingKeys } from '../../../shared/editing/use-editing-keys.ts'
import { isAbove } from '../../../ui/use-shortcuts.ts'
import { isLast } from '../canvas/layout.ts'
import type { Editor } from './editor-context.ts'
import { duplicateStep, type Edited, removeStep, shiftStep } from './edits.ts'
import { focusAfterEdit, focusedStop } from './focus.ts'
import { actionOf, type KeyAction } from './keys.ts'
import { type StepLocation, stepAt, stepLocationOf } from './step-tree.ts'
import { type Stop, TRIGGER_STOP, travel } from './travel.ts'

/** The place after the step, or before a step that ends the run. */
function locationAfter({ definition }: Editor, stop: Stop): StepLocation {
  if (stop === TRIGGER_STOP) return { list: 'steps', index: 0 }
  const location = stepLocationOf(stop.replace('+', ''))
  const step = stop.startsWith('+') ? undefined : stepAt(definition, stop)
  return !step || isLast(step) ? location : { ...location, index: location.index + 1 }
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

/** Also selects the step, because Tab can focus a step that is not selected. */
function open({ select, openPanel }: Editor, stop: Stop) {
  select(stop === TRIGGER_STOP ? undefined : stop)
  openPanel()
}

function testUpTo(editor: Editor, stop: Stop) {
  const { testing, definition } = editor
  open(editor, stop)
  void testing.run(stepAt(definition, stop)?.key)
}

/** Actions on the focused step. @returns whether the action was handled */
function onStop(editor: Editor, action: KeyAction, stop: Stop): boolean {
  const next = action.does === 'travel' && travel(editor.definition, stop, action.direction)
  if (next) editor.go(next)
  else if (action.does === 'move') change(editor, (all, at) => shiftStep(all, at, action.direction), stop)
  else if (action.does === 'add') editor.add(locationAfter(editor, stop))
  else if (action.does === 'remove') change(editor, removeStep, stop)
  else if (action.does === 'duplicate') change(editor, duplicateStep, stop)
  else if (action.does === 'open' && !stop.startsWith('+')) open(editor, stop)
  else if (action.does === 'test' && !stop.startsWith('+')) testUpTo(editor, stop)
  else return action.does === 'travel'
  return true
}

/** Escape returns from the form to its step, except when it closes a list of choices. */
const leavesForm = ({ key, target }: KeyboardEvent) =>
  key === 'Escape' &&
  target instanceof HTMLElement &&
  target.closest('[data-editor-form]') !== null &&
  target.getAttribute('aria-expanded') !== 'true'

export function useKeys(editor: Editor): void {
  const { saving, undo, redo } = editor
  useEditingKeys({ undo, redo, save: () => !saving.isBusy && void saving.save() })
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || isAbove()) return
    if (leavesForm(event)) return editor.closePanel()
    const action = isField(event.target) ? undefined : actionOf(event)
    const isNowhere = document.activeElement === document.body
    const stop = isNowhere ? (editor.selected ?? TRIGGER_STOP) : focusedStop()
    if (action && stop !== undefined && onStop(editor, action, stop)) event.preventDefault()
  })
}
