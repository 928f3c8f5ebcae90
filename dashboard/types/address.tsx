import { MapPin } from 'lucide-react'
import { type Address, formatAddress } from '../../contract/address-values.ts'
import type { TypeDefinition } from './type-definition.ts'

export const address: TypeDefinition = {
  icon: MapPin,
  label: 'Address',
  explanation: 'Street, city, postal code and country',
  columnWidth: 240,
  format: (value) => formatAddress(value as Address),
  hasManyFields: true,
  firstOperator: 'contains',
}
