import { Checkbox } from '@mantine/core'
import type { EditorProps } from '../../shared/values/editor-props.ts'
import type { TypeEditor } from './type-editor.ts'

function CheckboxEditor({ value, onChange, label, required: _, ...field }: EditorProps) {
  return (
    <Checkbox
      {...field}
      label={label}
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

export const checkbox: TypeEditor = { editor: (props) => <CheckboxEditor {...props} /> }
