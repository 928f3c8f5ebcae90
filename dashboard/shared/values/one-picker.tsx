// Chooses one value of a record. Choosing the chosen option keeps it. The last entry clears it.
import { Select, type SelectProps } from '../../ui/select.tsx'

export interface OnePickerProps extends Omit<SelectProps, 'onChange'> {
  /** Called for every choice, also of the chosen option. null clears the value. */
  onChange(value: string | null): void
}

export const OnePicker = (props: OnePickerProps) => (
  <Select {...props} data-autofocus={props.autoFocus || undefined} clearable hearsEveryChoice />
)
