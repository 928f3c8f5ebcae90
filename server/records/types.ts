// Types of attributes on the server, each in a file of its own.
import type { AttributeType } from '../../contract/attribute-types.ts'
import { address } from './types/address.ts'
import { checkbox } from './types/checkbox.ts'
import { currency } from './types/currency.ts'
import { date } from './types/date.ts'
import { domain } from './types/domain.ts'
import { email } from './types/email.ts'
import { list } from './types/list.ts'
import { member } from './types/member.ts'
import { name } from './types/name.ts'
import { number } from './types/number.ts'
import { phoneNumber } from './types/phone-number.ts'
import type { RecordType } from './types/record-type.ts'
import { reference } from './types/reference.ts'
import { select } from './types/select.ts'
import { text } from './types/text.ts'
import { url } from './types/url.ts'

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
