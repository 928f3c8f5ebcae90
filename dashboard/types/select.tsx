import { Tag } from 'lucide-react'
import { tintOfOption } from '../shared/values/attribute-config.ts'
import { Chip } from '../ui/chip.tsx'
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
  isChosen: true,
  operators: ['equals', 'notEquals', 'in', 'notIn', 'contains', 'notContains', 'isEmpty', 'isNotEmpty'],
}
