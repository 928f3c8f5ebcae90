// Chooses one value of a record. Choosing what is chosen keeps it; the last entry clears it.
import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { usePulse } from '../../ui/use-pulse.ts'

/** No value of a select and no id begins with this. */
const CLEAR = '\u0000clear'

export interface OnePickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'filter'> {
  data: readonly ComboboxItem[]
  value: string | null
  /** Hears every choice, also of what is chosen already; null clears. */
  onChange(value: string | null): void
  /** Which options match what is typed; by default those with the text in them. */
  isMatch?(option: ComboboxItem, text: string): boolean
}

const hasText = ({ label }: ComboboxItem, text: string) => label.toLowerCase().includes(text)

/** While something is typed the entry that clears is no match. */
const filterOf =
  (isMatch: NonNullable<OnePickerProps['isMatch']>): OptionsFilter =>
  ({ options, search }) => {
    const text = search.trim().toLowerCase()
    if (text === '') return options
    return options.filter((one) => 'value' in one && one.value !== CLEAR && isMatch(one, text))
  }

const ClearEntry = () => (
  <span className="inline gap-4 muted">
    <X size={13} aria-hidden /> Clear
  </span>
)

/** Keeps what is typed when the name of the chosen option changes, as it does when it is loaded late. */
function useTypedText(data: readonly ComboboxItem[], value: string | null) {
  const [text, setText] = useState(data.find((one) => one.value === value)?.label ?? '')
  const typed = useRef<{ text: string; value: string | null }>(undefined)
  const onInput = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    typed.current = { text: currentTarget.value, value }
  }
  const onBlurCapture = () => {
    typed.current = undefined
  }
  const isReplaced = (next: string) =>
    next !== '' && typed.current !== undefined && next !== typed.current.text && typed.current.value === value
  return { text, setText, isReplaced, handlers: { onInput, onBlurCapture } }
}

export function OnePicker({ data, value, onChange, isMatch = hasText, ...select }: OnePickerProps) {
  const { text, setText, isReplaced, handlers } = useTypedText(data, value)
  // The name of the chosen option stands in the field without having been typed.
  const isChosen = data.some((one) => one.value === value && one.label === text)
  const isFirstActive = usePulse(text.trim() !== '' && !isChosen, text)
  const canClear = value !== null && !select.required
  return (
    <Select
      selectFirstOptionOnChange={isFirstActive}
      {...select}
      {...handlers}
      searchValue={text}
      onSearchChange={(typed) => {
        if (isReplaced(typed)) return
        setText(typed)
        select.onSearchChange?.(typed)
      }}
      data-autofocus={select.autoFocus || undefined}
      data={canClear ? [...data, { value: CLEAR, label: 'Clear' }] : [...data]}
      value={value}
      onChange={(chosen) => onChange(chosen === CLEAR ? null : chosen)}
      onOptionSubmit={(chosen) => chosen === value && onChange(value)}
      filter={filterOf(isMatch)}
      renderOption={({ option }) => (option.value === CLEAR ? <ClearEntry /> : option.label)}
      clearable={canClear}
    />
  )
}
