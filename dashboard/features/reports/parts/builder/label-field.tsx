import { TextInput } from '@mantine/core'

interface LabelFieldProps {
  value: string | undefined
  /** What it is called unless it is named. */
  usual: string
  onChange(label: string | undefined): void
}

/** A name of one's own for a column. */
export const LabelField = ({ value, usual, onChange }: LabelFieldProps) => (
  <TextInput
    label="Name"
    placeholder={usual}
    value={value ?? ''}
    maxLength={200}
    onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
  />
)
