// Editors of values by type. They are separate from the types: pages show values before the editors are loaded.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { address } from './address.tsx'
import { checkbox } from './checkbox.tsx'
import { currency } from './currency.tsx'
import { date } from './date.tsx'
import { member } from './member.tsx'
import { name } from './name.tsx'
import { number } from './number.tsx'
import { reference } from './reference.tsx'
import { select } from './select.tsx'
import { email, phoneNumber, text } from './text.tsx'
import type { TypeEditor } from './type-editor.ts'

export const EDITORS: Readonly<Record<AttributeType, TypeEditor>> = {
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
  list: text,
  reference,
  url: text,
  member,
  domain: text,
}
