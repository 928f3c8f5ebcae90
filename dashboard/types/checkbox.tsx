import { Checkbox } from '@mantine/core'
import { Check, CircleCheck } from 'lucide-react'
import type { EditorProps } from '../shared/values/editor-props.ts'
import type { TypeDefinition } from './type-definition.ts'

function Checked({ value }: { value: unknown }) {
  if (value !== true) return <span className="muted">No</span>
  return (
    <span className="inline gap-4">
      <Check size={14} aria-hidden />
      Yes
    </span>
  )
}

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

export const checkbox: TypeDefinition = {
  icon: CircleCheck,
  label: 'Checkbox',
  explanation: 'Yes or no',
  columnWidth: 110,
  format: (value) => (value === true ? 'Yes' : 'No'),
  cell: ({ value }) => <Checked value={value} />,
  editor: (props) => <CheckboxEditor {...props} />,
  isToggle: true,
  // It is checked or not: comparing it says nothing more.
  operators: ['isTrue', 'isFalse', 'isEmpty', 'isNotEmpty'],
}
