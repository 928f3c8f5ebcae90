// Several of what was found, chosen by typing a part of a name.
import { type ComboboxItem, type ComboboxItemGroup, MultiSelect } from '@mantine/core'
import { asFound } from '../values/found-options.ts'

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
}

export function FoundSelect({ placeholder, value, text, onText, nothingFound, ...select }: FoundSelectProps) {
  return (
    <MultiSelect
      {...select}
      placeholder={value.length === 0 ? placeholder : ''}
      value={value}
      searchable
      searchValue={text}
      onSearchChange={onText}
      filter={asFound}
      hidePickedOptions
      openOnFocus={false}
      nothingFoundMessage={nothingFound}
    />
  )
}
