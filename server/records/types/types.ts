// Types of attributes on the server, each in its own file.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { address } from './address.ts'
import { checkbox } from './checkbox.ts'
import { currency } from './currency.ts'
import { date } from './date.ts'
import { domain } from './domain.ts'
import { email } from './email.ts'
import { list } from './list.ts'
import { member } from './member.ts'
import { name } from './name.ts'
import { number } from './number.ts'
import { phoneNumber } from './phone-number.ts'
import type { RecordType } from './record-type.ts'
import { reference } from './reference.ts'
import { select } from './select.ts'
import { text } from './text.ts'
import { url } from './url.ts'

export const RECORD_TYPES: Readonly<Record<AttributeType, RecordType>> = {
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
