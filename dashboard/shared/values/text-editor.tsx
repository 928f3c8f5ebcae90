// A text field. The text is sent unchanged, and the service reports what is wrong with it.
import { TextInput } from '@mantine/core'
import { type HTMLInputTypeAttribute, useState } from 'react'
import { isBlank } from '../../../contract/single-line.ts'
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
      onChange={({ currentTarget }) => onChange(isBlank(currentTarget.value) ? null : currentTarget.value)}
    />
  )
}

export const DayEditor = (props: EditorProps) => <TextEditor {...props} type="date" />

interface TypedTextProps extends EditorProps {
  /**
   * Converts the text to a value. If it returns undefined, the text is sent unchanged and the service reports the
   * error.
   */
  read(text: string): unknown
  /** The text that shows the value below the field. */
  explain?(value: unknown): string
}

/** Replaces a value that another editor shows in several fields. It starts empty. */
export function TypedText({ value: _, onChange, read, explain, ...field }: TypedTextProps) {
  const [text, setText] = useState('')
  const value = isBlank(text) ? undefined : read(text)
  const change = (typed: string) => {
    setText(typed)
    onChange(isBlank(typed) ? null : (read(typed) ?? typed.trim()))
  }
  return (
    <TextInput
      {...field}
      autoComplete="off"
      value={text}
      description={value !== undefined && explain ? <span role="status">{explain(value)}</span> : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
