// Attribute types on pages, one file for each type.
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Attribute } from '../shared/api/objects.ts'
import { address } from './address.tsx'
import { checkbox } from './checkbox.tsx'
import { currency } from './currency.tsx'
import { date } from './date.tsx'
import { domain } from './domain.tsx'
import { email } from './email.tsx'
import { list } from './list.tsx'
import { member } from './member.tsx'
import { name } from './name.tsx'
import { number } from './number.tsx'
import { phoneNumber } from './phone-number.tsx'
import { reference } from './reference.tsx'
import { select } from './select.tsx'
import { text } from './text.tsx'
import type { TypeDefinition } from './type-definition.ts'
import { url } from './url.tsx'

export const TYPES: Readonly<Record<AttributeType, TypeDefinition>> = {
  text,
  email,
  number,
  phone_number: phoneNumber,
  checkbox,
  name,
  address,
  currency,
  date,
  select,
  list,
  reference,
  url,
  member,
  domain,
}

export const holdsMany = ({ type, isList }: Pick<Attribute, 'type' | 'isList'>): boolean =>
  isList || TYPES[type].isAlwaysMany === true
