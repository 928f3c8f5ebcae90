import { Calendar } from 'lucide-react'
import { formatDay } from '../shared/values/format.ts'
import type { TypeDefinition } from './type-definition.ts'

export const date: TypeDefinition = {
  icon: Calendar,
  label: 'Date',
  explanation: 'A calendar day, the same in every time zone',
  columnWidth: 130,
  format: (value) => formatDay(String(value)),
  formatPlain: String,
  operatorWords: {
    greaterThan: 'is after',
    lessThan: 'is before',
    greaterThanOrEqual: 'is on or after',
    lessThanOrEqual: 'is on or before',
  },
}
