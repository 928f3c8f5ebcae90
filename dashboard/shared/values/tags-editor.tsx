import { TagsInput } from '@mantine/core'
import type { EditorProps } from './editor-props.ts'
import { orNull, texts } from './several.ts'

interface TagsEditorProps extends EditorProps {
  /** What is typed as the values it means. */
  read?(typed: string[]): string[]
}

export const TagsEditor = ({ value, onChange, read = (typed) => typed, ...field }: TagsEditorProps) => (
  <TagsInput {...field} value={texts(value)} onChange={(typed) => onChange(orNull(read(typed)))} />
)
