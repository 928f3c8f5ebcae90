import { TagsInput } from '@mantine/core'
import type { EditorProps } from './editor-props.ts'
import { orNull, texts } from './several.ts'

interface TagsEditorProps extends EditorProps {
  /** Converts typed texts to values. */
  read?(typed: string[]): string[]
}

export const TagsEditor = ({ value, onChange, read = (typed) => typed, ...field }: TagsEditorProps) => (
  <TagsInput {...field} value={texts(value)} onChange={(typed) => onChange(orNull(read(typed)))} />
)
