import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { normalPhone, phoneDigits, withExtension } from '../values/phone.ts'
import { type Operand, plainText, type RecordType } from './record-type.ts'

const NOT_PHONE_TYPE = wrongType('must be a phone number as text, such as "+1 555 867 5309"')
const NOT_PHONE: Refusal = {
  code: 'invalid_phone_number',
  message: 'must be a phone number with its country code, such as "+1 555 867 5309"; an extension may follow',
}
const NO_DIGITS = 'must contain a digit, such as 867'

const EXTENSION = /(?<=\d[\s,)]*)(?:;ext=|ext(?:ension)?\.?|x|#)[\s:.]*(\d{1,7})\s*$/i

/** The operand is reduced to its digits, with a leading +: see values/phone-search.ts. */
function part(text: string): Operand {
  const isInternational = text.trimStart().startsWith('+')
  const extension = EXTENSION.exec(text)
  const number = text.slice(0, extension?.index)
  // "+44 (0)20" combines the national and the international format; the number has no 0 there.
  const digits = phoneDigits(isInternational ? number.replace('(0)', '') : number)
  // Without this check, an operand without digits would match every phone number.
  if (digits === '') return { problem: NO_DIGITS }
  const value = isInternational ? `+${digits}` : digits
  return { value: extension?.[1] ? withExtension(value, extension[1]) : value }
}

const PHONE_CELL = /^\+?[\d\s()./-]{7,25}(?:(?:ext\.?|x)\s?\d{1,6})?$/

/** A run of only digits may be anything. A phone number has a plus, a bracket or a separator between its digits. */
function hasFormOfPhone(cell: string): boolean {
  const digits = cell.replace(/\D/g, '').length
  return PHONE_CELL.test(cell) && /[+()\s./-]/.test(cell) && digits >= 7 && digits <= 15
}

/** Compared as E.164, with the extension. */
export const phoneNumber: RecordType = {
  ...plainText,
  check(value, _attribute, locale) {
    if (typeof value !== 'string') return NOT_PHONE_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    const normal = normalPhone(value, locale.country)
    return normal === undefined ? NOT_PHONE : { value, normal }
  },
  // An invalid number becomes its digits, which equal no stored value.
  operand: (text, { country }) => ({ value: normalPhone(text, country) ?? phoneDigits(text) }),
  part,
  operandOfQuery: (text) => text.replace(/^ +/, '+'),
  textIn: (value, { country }) => normalPhone(String(value), country) ?? String(value),
  hasComparable: true,
  cells: { isOne: hasFormOfPhone, isLoose: true, isTelling: true },
  isKeyWhole: true,
  example: () => '+1 555 867 5309',
}
