import { Tag } from 'lucide-react'
import { optionsOf, tintOfOption } from '../shared/values/attribute-config.ts'
import { OnePicker } from '../shared/values/one-picker.tsx'
import { orNull, texts } from '../shared/values/several.ts'
import { Chip } from '../ui/chip.tsx'
import { MultiPicker } from '../ui/multi-picker.tsx'
import type { Shown, TypeDefinition } from './type-definition.ts'

const option = ({ attribute, text }: Shown) => <Chip index={tintOfOption(attribute, text)}>{text}</Chip>

export const select: TypeDefinition = {
  icon: Tag,
  label: 'Select',
  explanation: 'One of the options you define',
  columnWidth: 150,
  view: option,
  cell: option,
  isChip: true,
  editor: ({ value, ...props }, attribute) => (
    <OnePicker
      {...props}
      data={optionsOf(attribute).map((one) => ({ value: one, label: one }))}
      value={String(value ?? '') || null}
    />
  ),
  manyEditor: ({ value, onChange, ...props }, attribute) => (
    <MultiPicker
      {...props}
      data={optionsOf(attribute)}
      value={texts(value)}
      onChange={(values) => onChange(orNull(values))}
      clearable
    />
  ),
  isChosen: true,
  operators: ['equals', 'notEquals', 'in', 'notIn', 'contains', 'notContains', 'isEmpty', 'isNotEmpty'],
}
