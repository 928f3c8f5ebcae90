import { Check, CircleCheck } from 'lucide-react'
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

export const checkbox: TypeDefinition = {
  icon: CircleCheck,
  label: 'Checkbox',
  explanation: 'Yes or no',
  columnWidth: 110,
  format: (value) => (value === true ? 'Yes' : 'No'),
  cell: ({ value }) => <Checked value={value} />,
  isToggle: true,
  // A checkbox has two values, so comparing values adds nothing.
  operators: ['isTrue', 'isFalse', 'isEmpty', 'isNotEmpty'],
}
