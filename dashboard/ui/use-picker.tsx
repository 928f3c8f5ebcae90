// The common behavior of all option lists, with one choice or several: typed text, results and rendering.
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

/** The option that clears the value. */
export const CLEAR = `${ACTION}clear`

export interface PickerProps {
  /** The text, if the caller needs it too, for example for a search. */
  typing?: Typing | undefined
  /** The results of the service. By default, the options whose names contain the text. */
  found?: Found | undefined
  /** The noun for the options. By default "option". */
  nouns?: Nouns | undefined
  /** Shown with the refusal when no option was found. */
  offer?: ReactNode
}

interface PickerInput extends PickerProps {
  data: ComboboxData
  filter: OptionsFilter | undefined
  /** The name of the chosen option, for a picker with one choice. */
  label: string
  /** For several choices: whether the option is not chosen yet. */
  isFree?(option: Option): boolean
  take(option: Option): void
  onKey(event: KeyboardEvent<HTMLInputElement>): void
}

/** With typed text, the option that clears is no match. */
const withoutClear =
  (filter: OptionsFilter): OptionsFilter =>
  (input) => {
    if (input.search.trim() === '') return filter(input)
    return filter({
      ...input,
      options: input.options.filter((one) => 'group' in one || one.value !== CLEAR),
    })
  }

/** The same element with and without a hint: a click is lost if its element is replaced before the release. */
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

/** The list and the typed text stay when another window takes the focus. */
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

/** A name that arrives while the field has the focus is selected, like the name before it: typing replaces it. */
function useSelectedName(field: RefObject<HTMLInputElement | null>, name: string | undefined): void {
  useLayoutEffect(() => {
    if (name !== undefined && field.current === document.activeElement) field.current?.select()
  }, [field, name])
}

/** @returns `props`: props of the library's list */
export function usePicker(input: PickerInput) {
  const { data, filter, label, isFree, take, onKey, nouns, offer } = input
  const own = useTyping()
  const typing = input.typing ?? own
  const { text } = typing
  const options = getParsedComboboxData<string>(data)
  const shown = withoutClear(input.found ? foundOnly(input.found) : (filter ?? withText))
  const local = { options, search: text ?? '', limit: Number.POSITIVE_INFINITY }
  // Actions are not values, so no text can mean one.
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
