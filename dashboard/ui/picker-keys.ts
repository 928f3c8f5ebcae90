// Keys of every list of choices. Typed text finds an option, and Enter takes the active option and never submits the
// form. Choosing the chosen option changes nothing.
import type { KeyboardEvent, SyntheticEvent } from 'react'
import { submitByKey } from './form-keys.ts'

type Key = KeyboardEvent<HTMLInputElement>

// aria-expanded and aria-controls are set one render later. Until then, the only open list is found by its role.
const isOpen = (field: HTMLInputElement) => field.dataset['expanded'] === 'true'
const listOf = (field: HTMLInputElement) =>
  document.getElementById(field.getAttribute('aria-controls') ?? '') ??
  document.querySelector('[data-composed] [role=listbox]')
export const isPlain = ({ ctrlKey, metaKey, altKey, nativeEvent }: Key) =>
  !ctrlKey && !metaKey && !altKey && !nativeEvent.isComposing

/** The option that Enter takes: the highlighted one, else the first match of what is typed, else the chosen one. */
function optionOf(field: HTMLInputElement): HTMLElement | null {
  const list = listOf(field)
  const find = (state: string) => list?.querySelector<HTMLElement>(`[data-combobox-option]${state}`) ?? null
  const chosen = find('[data-combobox-active]')
  const isTyped = field.value.trim() !== '' && field.value !== chosen?.innerText.trim()
  return find('[data-combobox-selected]') ?? (isTyped ? find(':not([data-combobox-disabled])') : chosen)
}

/** The key is handled: the list, and the cell or form around it, do not receive the event. */
export function consume(event: Key): void {
  event.preventDefault()
  event.stopPropagation()
}

/** Ctrl+Enter (⌘ Enter) submits the form around the list, and takes no option. @returns whether it did */
function submits(event: Key): boolean {
  const { form } = event.currentTarget
  const isMod = event.ctrlKey || event.metaKey
  if (event.key !== 'Enter' || !isMod || event.nativeEvent.isComposing || !form) return false
  consume(event)
  submitByKey(form)
  return true
}

/** Enter and Space open a closed list; in an open one Enter chooses, and does nothing where there is no match. */
export function onPickerKey(event: Key): void {
  const { key, currentTarget } = event
  if (submits(event) || !isPlain(event) || (key !== 'Enter' && key !== ' ')) return
  if (key === ' ' && isOpen(currentTarget)) return
  consume(event)
  if (isOpen(currentTarget)) optionOf(currentTarget)?.click()
  else currentTarget.click()
}

/** The same for several choices. With no text and no highlighted option, the element around the list handles Enter. */
export function onMultiPickerKey(event: Key): void {
  const { key, currentTarget } = event
  if (submits(event) || !isPlain(event) || key !== 'Enter') return
  const option = isOpen(currentTarget) ? optionOf(currentTarget) : null
  if (!option && currentTarget.value.trim() === '') return
  consume(event)
  option?.click()
}

/** Escape closes an open list, but no layer around it. */
function onPickerEscape(event: Key): void {
  if (event.key === 'Escape' && isOpen(event.currentTarget)) event.preventDefault()
}

/** Selects the name of the chosen option, so that typing replaces it. */
const selectText = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => currentTarget.select()

/** For the theme: props of a list with one choice. */
export const ONE_OF_MANY = {
  searchable: true,
  selectFirstOptionOnChange: true,
  allowDeselect: false,
  openOnFocus: false,
  nothingFoundMessage: 'No results',
  // Not in the tab order: Tab goes to the next field. With the keyboard, “Clear” in the list does the same.
  clearButtonProps: { tabIndex: -1, 'aria-hidden': false, 'aria-label': 'Remove choice' },
  onKeyDownCapture: onPickerKey,
  onKeyDown: onPickerEscape,
  onFocus: selectText,
  onClick: selectText,
}

/** For the theme: props of a list with several choices. A choice is removed by its × or by Backspace. */
export const SOME_OF_MANY = {
  searchable: true,
  hidePickedOptions: true,
  openOnFocus: false,
  nothingFoundMessage: 'No results',
  clearButtonProps: { tabIndex: 0, 'aria-hidden': false, 'aria-label': 'Remove all choices' },
  onKeyDownCapture: onMultiPickerKey,
  onKeyDown: onPickerEscape,
}
