// What is typed goes out as it is, the service says what is wrong with it.
import { TextInput } from '@mantine/core'
import type { HTMLInputTypeAttribute } from 'react'
import type { EditorProps } from './editor-props.ts'

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

export function TextEditor({
  value,
  onChange,
  type = 'text',
  ...field
}: EditorProps & { type?: HTMLInputTypeAttribute }) {
  return (
    <TextInput
      {...field}
      data-autofocus={field.autoFocus || undefined}
      type={type}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

export const DayEditor = (props: EditorProps) => <TextEditor {...props} type="date" />
