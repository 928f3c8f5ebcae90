import { DollarSign } from 'lucide-react'
import { formatMoney } from '../../contract/number-values.ts'
import { PlainCell } from '../shared/table/plain-cell.tsx'
import { isMoney } from '../shared/values/format.ts'
import type { TypeDefinition } from './type-definition.ts'

export const currency: TypeDefinition = {
  icon: DollarSign,
  label: 'Currency',
  explanation: 'An amount of money with its currency',
  columnWidth: 140,
  format: (value) => (isMoney(value) ? formatMoney(value) : ''),
  formatPlain: (value) => (isMoney(value) ? `${value.amount} ${value.currency}` : ''),
  cell: ({ value, text }) =>
    isMoney(value) ? <PlainCell text={text} exact={`${text} ${value.currency}`} /> : null,
  isNumeric: true,
  hasManyFields: true,
}
