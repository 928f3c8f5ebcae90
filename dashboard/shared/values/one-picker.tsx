// Chooses one value of a record. Choosing what is chosen keeps it; the last entry clears it.
import { Select, type SelectProps } from '../../ui/select.tsx'

export interface OnePickerProps extends Omit<SelectProps, 'onChange'> {
  /** Hears every choice, also of what is chosen already; null clears. */
  onChange(value: string | null): void
}

export const OnePicker = (props: OnePickerProps) => (
  <Select {...props} data-autofocus={props.autoFocus || undefined} clearable hearsEveryChoice />
)
