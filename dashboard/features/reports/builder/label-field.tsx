import { TextInput } from '@mantine/core'
import { tooLong } from '../../../ui/too-long.ts'

const COLUMN_LABEL_MAX = 200

interface LabelFieldProps {
  value: string | undefined
  /** The default name. */
  usual: string
  onChange(label: string | undefined): void
}

/** A custom name for a column. */
export const LabelField = ({ value, usual, onChange }: LabelFieldProps) => (
  <TextInput
    label="Name"
    placeholder={usual}
    value={value ?? ''}
    error={tooLong(value ?? '', COLUMN_LABEL_MAX)}
    onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
  />
)
