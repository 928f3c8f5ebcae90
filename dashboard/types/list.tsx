import { List } from 'lucide-react'
import { LIST_WORDS } from '../shared/filters/plain-words.ts'
import { Chip, tintOf } from '../ui/chip.tsx'
import type { Shown, TypeDefinition } from './type-definition.ts'

const tag = ({ text }: Shown) => <Chip index={tintOf(text)}>{text}</Chip>

export const list: TypeDefinition = {
  icon: List,
  label: 'Tags',
  explanation: 'Any number of short texts, added as you go',
  columnWidth: 200,
  view: tag,
  cell: tag,
  isChip: true,
  isAlwaysMany: true,
  operatorWords: LIST_WORDS,
  operators: ['equals', 'notEquals', 'in', 'notIn', 'isEmpty', 'isNotEmpty'],
}
