// Chooses one option. It replaces the library's Select, which discards typed text when the field is left.
import {
  getParsedComboboxData,
  Select as Library,
  type SelectProps as LibraryProps,
  type Primitive,
} from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { flat, isAction } from './found-options.ts'
import { onPickerKey } from './picker-keys.ts'
import { CLEAR, type PickerProps, usePicker } from './use-picker.tsx'

export interface SelectProps<Value extends Primitive = string>
  extends Omit<LibraryProps<Value>, 'searchValue' | 'onSearchChange' | 'defaultValue'>,
    PickerProps {
  /** `onChange` is called for every choice, also of the option that is chosen already. */
  hearsEveryChoice?: boolean
}

function OneOfMany({ hearsEveryChoice = false, ...props }: SelectProps) {
  const { typing: given, found, nouns, offer, ...select } = props
  const { value = null, onChange, required } = select
  const canClear = select.clearable === true && value !== null && !required
  const data = canClear ? [...(select.data ?? []), { value: CLEAR, label: 'Clear' }] : (select.data ?? [])
  const chosen = flat(getParsedComboboxData<string>(data)).find((one) => one.value === value)
  const hear = (next: string | null) => {
    if (next !== value || hearsEveryChoice) onChange?.(next, null)
  }
  const picker = usePicker({
    ...{ typing: given, found, nouns, offer, data },
    filter: select.filter,
    label: chosen?.label ?? '',
    take: (option) => hear(option.value),
    onKey: onPickerKey,
  })
  return (
    <Library
      {...select}
      {...picker.props}
      renderOption={select.renderOption ?? picker.props.renderOption}
      ref={useMergedRef(picker.props.ref, select.ref)}
      data={data}
      value={value}
      clearable={canClear}
      error={picker.problem ?? select.error}
      onChange={(next) => hear(next === CLEAR ? null : next)}
      onOptionSubmit={(next) => {
        if (!isAction(next)) picker.typing.set(undefined)
        if (next === value) hear(next)
      }}
      onClear={() => picker.typing.set(undefined)}
    />
  )
}

export function Select<Value extends Primitive = string>(props: SelectProps<Value>) {
  return <OneOfMany {...(props as unknown as SelectProps)} />
}
