// What filters compare: the text of an operand in the form in which stored values are compared
// (decisions, sections 2 and 3).
import { isUuid } from '../../../contract/common.ts'
import { isStorable } from '../../http/storable.ts'
import { dayOf } from '../values/day.ts'
import { canonicalDecimal } from '../values/number.ts'
import { tidyName } from '../values/parts.ts'
import { e164, phoneDigits } from '../values/phone.ts'
import type { Locale, ValueAttribute } from '../values.ts'

export { canonicalDecimal, dayOf, e164 }

/** `problem` is a sentence that says what the operand may be. */
export type Operand = { value: string } | { problem: string }

const NOT_STORABLE: Operand = {
  problem: 'The operand may not have the character U+0000 or halves of surrogate pairs.',
}
const NOT_DECIMAL = 'The operand must be a number, such as 12.5.'
const NOT_DAY = 'The operand must be a calendar day, such as 2026-11-20, or a timestamp with its offset.'
const NOT_CHECKBOX = 'The operand must be true or false.'
const NOT_ID = 'The operand must be the id of a record.'
const NO_DIGITS = 'The operand must have a digit.'

/**
 * The operand of equals, notEquals, the orderings, in and between. Phone numbers are compared as E.164;
 * one that cannot be read becomes its digits, which equal no stored value.
 */
export function comparableOperand(
  attribute: Pick<ValueAttribute, 'type'>,
  text: string,
  locale: Locale,
): Operand {
  if (!isStorable(text)) return NOT_STORABLE
  switch (attribute.type) {
    case 'email':
      return { value: text.toLowerCase() }
    case 'number':
    case 'currency':
      return valueOr(canonicalDecimal(text), NOT_DECIMAL)
    case 'name':
      return { value: tidyName(text) }
    case 'date':
      return valueOr(dayOf(text), NOT_DAY)
    case 'phone_number':
      return { value: e164(text, locale.country) ?? phoneDigits(text) }
    case 'checkbox':
      return valueOr(text === 'true' || text === 'false' ? text : undefined, NOT_CHECKBOX)
    case 'reference':
      return valueOr(isUuid(text) ? text.toLowerCase() : undefined, NOT_ID)
    default:
      return { value: text }
  }
}

/**
 * The operand of contains, notContains, startsWith and endsWith. A part of a phone number is its digits,
 * after a + when it starts with one: values/phone-search.ts says what it is searched in.
 */
export function searchOperand(attribute: Pick<ValueAttribute, 'type'>, text: string): Operand {
  if (!isStorable(text)) return NOT_STORABLE
  // A space at the end stays: `contains "Ada "` asks for a name that goes on.
  if (attribute.type === 'name') return { value: text.replaceAll(/\s+/g, ' ') }
  if (attribute.type !== 'phone_number') return { value: text }
  const isInternational = text.trimStart().startsWith('+')
  // "+44 (0)20" is written for readers of both writings; the number has no such 0.
  const digits = phoneDigits(isInternational ? text.replace('(0)', '') : text)
  // Without this, an operand without digits would be in every phone number.
  if (digits === '') return { problem: NO_DIGITS }
  return { value: isInternational ? `+${digits}` : digits }
}

const valueOr = (value: string | undefined, problem: string): Operand =>
  value === undefined ? { problem } : { value }
