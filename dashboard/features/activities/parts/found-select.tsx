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

/** What is chosen gives its names to the choices and is not listed; a group without other options has no heading. */
function listed(data: FoundSelectProps['data'], value: readonly string[]) {
  const isChosen = (one: ComboboxItem) => value.includes(one.value)
  const chosen = data.flatMap(({ items }) => items.filter(isChosen))
  const groups = data.map(({ group, items }) => ({ group, items: items.filter((one) => !isChosen(one)) }))
  return { chosen, groups: groups.filter(({ items }) => items.length > 0) }
}

export function FoundSelect(props: FoundSelectProps) {
  const { placeholder, value, text, onText, nothingFound, isFresh, data, ...select } = props
  const { chosen, groups } = listed(data, value)
  const options = groups.flatMap(({ items }) => items)
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
      data={[...chosen, ...groups]}
      placeholder={value.length === 0 ? placeholder : ''}
      value={value}
      searchValue={text}
      onSearchChange={onText}
      filter={asFound}
      nothingFoundMessage={nothingFound}
    />
  )
}
