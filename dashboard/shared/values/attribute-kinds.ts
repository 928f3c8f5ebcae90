// What the types of attributes are called and for, and what each cannot be.
import { type AttributeType, NEVER_UNIQUE } from '../../../contract/attribute-types.ts'

interface Kind {
  label: string
  /** One line. */
  explanation: string
}

export const KINDS: Readonly<Record<AttributeType, Kind>> = {
  text: { label: 'Text', explanation: 'Text of any length, such as a job title' },
  email: { label: 'Email', explanation: 'A valid email address' },
  number: { label: 'Number', explanation: 'Counts and measures, exact to 30 digits' },
  phone_number: { label: 'Phone number', explanation: 'A valid number, stored in international format' },
  checkbox: { label: 'Checkbox', explanation: 'Yes or no' },
  name: { label: 'Person’s name', explanation: 'First and last name' },
  address: { label: 'Address', explanation: 'Street, city, postal code and country' },
  currency: { label: 'Currency', explanation: 'An amount of money with its currency' },
  date: { label: 'Date', explanation: 'A calendar day, the same in every time zone' },
  select: { label: 'Select', explanation: 'One of the options you define' },
  list: { label: 'Tags', explanation: 'Any number of short texts, added as you go' },
  reference: { label: 'Reference', explanation: 'A link to a record, of this or another object' },
}

/** undefined: it can be unique. */
export const whyNotUnique = (type: AttributeType): string | undefined =>
  NEVER_UNIQUE.has(type) ? `Values of type ${KINDS[type].label} cannot be unique` : undefined

/** undefined: it can hold many values. */
export const whyNotMany = (type: AttributeType): string | undefined =>
  type === 'list' ? 'Tags always allow multiple values' : undefined
