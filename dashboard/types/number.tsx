import { Hash } from 'lucide-react'
import { formatNumber } from '../../contract/number-values.ts'
import type { TypeDefinition } from './type-definition.ts'

export const number: TypeDefinition = {
  icon: Hash,
  label: 'Number',
  explanation: 'Counts and measures, exact to 30 digits',
  columnWidth: 120,
  format: (value) => formatNumber(value as number | string),
  formatPlain: String,
  isNumeric: true,
}
