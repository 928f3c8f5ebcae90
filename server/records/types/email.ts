import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { isEmailValue } from '../values/email.ts'
import { type RecordType, trimmed } from './record-type.ts'

const NOT_EMAIL_TYPE = wrongType('must be an email address as text, such as "ada@example.com"')
const NOT_EMAIL: Refusal = {
  code: 'invalid_email',
  message: 'must be one email address, such as "ada@example.com"',
}
/** Also matches addresses with mistakes: they are meant as addresses. */
const ADDRESS_CELL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const email: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_EMAIL_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    return isEmailValue(value) ? { value, normal: value.toLowerCase() } : NOT_EMAIL
  },
  operand: (text) => ({ value: text.toLowerCase() }),
  textIn: (value) => String(value).toLowerCase(),
  ignoresCase: true,
  isKeyWhole: true,
  isWorded: true,
  fromCell: trimmed,
  cells: { isOne: (cell) => ADDRESS_CELL.test(cell), isStrict: true, isTelling: true },
  example: () => 'ada@example.com',
}
