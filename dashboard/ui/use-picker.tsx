// What every list of options has in common, with one choice or several: what is typed, what it finds, and how an option
// is drawn.
import {
  CheckIcon,
  type ComboboxData,
  type ComboboxItem,
  type ComboboxLikeRenderOptionInput,
  getParsedComboboxData,
  type OptionsFilter,
} from '@mantine/core'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import { ACTION, type Found, flat, foundOnly, isAction, type Option, withText } from './found-options.ts'
import { useFirstMatch } from './use-first-match.ts'
import { type Nouns, type Typing, useOpenText, useTyping } from './use-open-text.tsx'

/** The option that clears. */
export const CLEAR = `${ACTION}clear`

export interface PickerProps {
  /** Where the text is needed elsewhere as well, such as for a search. */
  typing?: Typing | undefined
  /** What the service found for the text; by default the options with the text in their names. */
  found?: Found | undefined
  /** What the options are called; by default options. */
  nouns?: Nouns | undefined
  /** Shown with the refusal of a text that finds nothing. */
  offer?: ReactNode
}

interface PickerInput extends PickerProps {
  data: ComboboxData
  filter: OptionsFilter | undefined
  /** The name of what is chosen, where only one is. */
  label: string
  /** Several can be chosen: not those that are chosen already. */
  isFree?(option: Option): boolean
  take(option: Option): void
  onKey(event: KeyboardEvent<HTMLInputElement>): void
}

/** While something is typed, clearing is no match. */
const withoutClear =
  (filter: OptionsFilter): OptionsFilter =>
  (input) => {
    if (input.search.trim() === '') return filter(input)
    return filter({
      ...input,
      options: input.options.filter((one) => 'group' in one || one.value !== CLEAR),
    })
  }

/** Every option, with a hint or without: a click is lost when the pressed element is replaced before the release. */
function renderOption({ option, checked }: ComboboxLikeRenderOptionInput<ComboboxItem>) {
  const { value, label, hint } = option as Option
  if (value === CLEAR)
    return (
      <span className="inline gap-4 muted">
        <X size={13} aria-hidden /> {label}
      </span>
    )
  return (
    <>
      <span className="row fill between gap-8">
        <span className={hint ? 'fixed breakable' : 'breakable'} style={hint ? { maxWidth: '65%' } : {}}>
          {label}
        </span>
        {hint && (
          <span className="muted tiny truncate" title={hint}>
            {hint}
          </span>
        )}
      </span>
      {checked && <CheckIcon size={10} className="fixed muted" />}
    </>
  )
}

/** The list, and what is typed, stay when another window takes the focus. */
function useList() {
  const [dropdownOpened, setOpened] = useState(false)
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => {
      if (document.hasFocus()) setOpened(false)
    },
  }
}

/** A name that arrives while the field has the focus is selected, as the one before was: typing replaces it. */
function useSelectedName(field: RefObject<HTMLInputElement | null>, name: string | undefined): void {
  useLayoutEffect(() => {
    if (name !== undefined && field.current === document.activeElement) field.current?.select()
  }, [field, name])
}

/** @returns `props`: of the library's list */
export function usePicker(input: PickerInput) {
  const { data, filter, label, isFree, take, onKey, nouns, offer } = input
  const own = useTyping()
  const typing = input.typing ?? own
  const { text } = typing
  const options = getParsedComboboxData<string>(data)
  const shown = withoutClear(input.found ? foundOnly(input.found) : (filter ?? withText))
  const local = { options, search: text ?? '', limit: Number.POSITIVE_INFINITY }
  // An action does something: no text means it.
  const values = () => flat(shown(local)).filter(({ value }) => !isAction(value))
  const found: Found = input.found ?? { options: values(), isFresh: true }
  const list = useList()
  const choose = (option: Option) => {
    typing.set(undefined)
    if (!isFree) list.onDropdownClose()
    take(option)
  }
  const open = useOpenText({ typing, label, found, take: choose, nouns, offer, close: list.onDropdownClose })
  useSelectedName(open.field, text === undefined ? label : undefined)
  const free = isFree ? { ...found, options: found.options.filter(isFree) } : found
  const { forget, ...firstMatch } = useFirstMatch({
    text: open.isOpen ? (text ?? '') : '',
    found: free,
    take: choose,
    onKey,
  })
  const onBlur = () => {
    forget()
    open.onBlur()
  }
  return {
    typing,
    problem: open.problem,
    props: {
      ...firstMatch,
      ...list,
      ref: open.field,
      searchValue: text ?? label,
      filter: shown,
      onInput: open.onInput,
      onBlur,
      renderOption,
    },
  }
}
