import { MapPin } from 'lucide-react'
import { type Address, formatAddress, shortAddress } from '../../contract/address-values.ts'
import { PlainCell } from '../shared/table/plain-cell.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const address: TypeDefinition = {
  icon: MapPin,
  label: 'Address',
  explanation: 'Street, city, postal code and country',
  columnWidth: 260,
  format: (value) => formatAddress(value as Address),
  cell: ({ value, text }) => <PlainCell text={shortAddress(value as Address)} exact={text} />,
  hasManyFields: true,
  firstOperator: 'contains',
}
