// What types of attributes are called.
import type { AttributeType } from '../../contract/attribute-types.ts'

const NAMES: Readonly<Record<AttributeType, string>> = {
  text: 'Text',
  email: 'E-mail address',
  number: 'Number',
  phone_number: 'Phone number',
  checkbox: 'Checkbox',
  name: 'Name of a person',
  address: 'Address',
  currency: 'Amount of money',
  date: 'Date',
  select: 'Select, one of some options',
  list: 'List of texts',
  reference: 'Reference to a record',
}
export const attributeTypeName = (type: AttributeType): string => NAMES[type]
