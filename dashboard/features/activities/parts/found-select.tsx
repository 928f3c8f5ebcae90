// Several of what was found, chosen by typing a part of a name.
import type { ComboboxItem, ComboboxItemGroup } from '@mantine/core'
import { asFound } from '../../../shared/values/found-options.ts'
import { useFirstMatch } from '../../../shared/values/use-first-match.ts'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { onMultiPickerKey } from '../../../ui/picker-keys.ts'

interface FoundSelectProps {
  label: string
  /** Shown while nothing is chosen. */
  placeholder: string
  data: ComboboxItemGroup<ComboboxItem>[]
  value: string[]
  onChange(value: string[]): void
  text: string
  onText(text: string): void
  nothingFound: string
  /** The data were found for the text as it is now. */
  isFresh: boolean
}

export function FoundSelect(props: FoundSelectProps) {
  const { placeholder, value, text, onText, nothingFound, isFresh, ...select } = props
  const options = select.data.flatMap(({ items }) => items).filter((one) => !value.includes(one.value))
  const choose = (key: string) => {
    onText('')
    select.onChange([...value, key])
  }
  const found = { options, isFresh }
  const firstMatch = useFirstMatch({ text, found, choose, onKey: onMultiPickerKey })
  return (
    <MultiPicker
      {...select}
      {...firstMatch}
      placeholder={value.length === 0 ? placeholder : ''}
      value={value}
      searchValue={text}
      onSearchChange={onText}
      filter={asFound}
      nothingFoundMessage={nothingFound}
    />
  )
}
