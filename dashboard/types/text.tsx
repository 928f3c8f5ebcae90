import { Type } from 'lucide-react'
import type { TypeDefinition } from './type-definition.ts'

export const text: TypeDefinition = {
  icon: Type,
  label: 'Text',
  explanation: 'Text of any length, such as a job title',
  columnWidth: 180,
  firstOperator: 'contains',
}
