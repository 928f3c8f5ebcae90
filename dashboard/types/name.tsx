import { User } from 'lucide-react'
import type { PersonName } from '../../contract/person-name.ts'
import { formatName } from '../shared/values/format.ts'
import type { TypeDefinition } from './type-definition.ts'

export const name: TypeDefinition = {
  icon: User,
  label: 'Person’s name',
  explanation: 'First and last name',
  columnWidth: 200,
  format: (value) => formatName(value as PersonName),
  hasManyFields: true,
  firstOperator: 'contains',
}
