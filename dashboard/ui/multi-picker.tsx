// Chooses several options.
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useContext } from 'react'
import { isAction } from './found-options.ts'
import { onMultiPickerKey } from './picker-keys.ts'
import { SideLists } from './side-lists.ts'
import { type PickerProps, usePicker } from './use-picker.tsx'

const SIDE_LIST = {
  position: 'right-start',
  width: 220,
  offset: 24,
  middlewares: { shift: true, flip: { fallbackPlacements: ['left-start', 'top-start'] } },
} as const satisfies MultiSelectProps['comboboxProps']

interface MultiPickerProps
  extends Omit<MultiSelectProps, 'searchValue' | 'onSearchChange' | 'defaultValue' | 'ref'>,
    PickerProps {}

export function MultiPicker({ typing: given, found, nouns, offer, ...select }: MultiPickerProps) {
  const { data = [], value = [], onChange } = select
  const isSideList = useContext(SideLists)
  const picker = usePicker({
    ...{ typing: given, found, nouns, offer, data },
    filter: select.filter,
    label: '',
    isFree: (option) => !value.includes(option.value),
    take: (option) => {
      if (!value.includes(option.value)) onChange?.([...value, option.value])
    },
    onKey: onMultiPickerKey,
  })
  return (
    <MultiSelect
      {...(isSideList && { comboboxProps: SIDE_LIST })}
      {...select}
      {...picker.props}
      renderOption={select.renderOption ?? picker.props.renderOption}
      data-autofocus={select.autoFocus || undefined}
      value={value}
      error={picker.problem ?? select.error}
      onOptionSubmit={(next) => {
        if (!isAction(next)) picker.typing.set(undefined)
      }}
      onClear={() => picker.typing.set(undefined)}
    />
  )
}
