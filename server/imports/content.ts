// What the cells of a column look like.

import type { AttributeType } from '../../contract/attributes.ts'
import { isUuid } from '../../contract/common.ts'
import type { CellFormat } from '../../contract/imports.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const SPLIT_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})\b/
const ISO_DAY = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?$/
const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:[,.’'\u00a0\u202f ]\d{3})+)(?:[.,]\d+)?$/
const SIGN = /(?:US|A|C|R)?\$|[€£¥₹₩₺₽₪₫₴₦]/
const CODE = /^[A-Z]{3}\s?(?=[-\d])|(?<=\d)\s?[A-Z]{3}$/
const PHONE = /^\+?[\d\s()./-]{7,25}(?:(?:ext\.?|x)\s?\d{1,6})?$/
const CHECKBOX = new Set(['true', 'false', 'yes', 'no'])

const digitsIn = (text: string) => text.replace(/\D/g, '').length

const isMoney = (text: string) => {
  const amount = text.replace(SIGN, '').replace(CODE, '').trim()
  return amount !== text.trim() && NUMBER.test(amount)
}

/** A run of digits alone may be anything: phone numbers have a plus, a bracket or something between the digits. */
const isPhone = (text: string) =>
  PHONE.test(text) && /[+()\s./-]/.test(text) && digitsIn(text) >= 7 && digitsIn(text) <= 15

const LOOKS: readonly (readonly [AttributeType, (text: string) => boolean])[] = [
  ['reference', isUuid],
  ['email', (text) => EMAIL.test(text)],
  ['date', (text) => ISO_DAY.test(text) || SPLIT_DAY.test(text)],
  ['checkbox', (text) => CHECKBOX.has(text.toLowerCase())],
  ['number', (text) => NUMBER.test(text)],
  ['currency', isMoney],
  ['phone_number', isPhone],
]

/** The type that every sample has the form of; text when there is none, undefined without samples. */
export function contentType(samples: readonly string[]): AttributeType | undefined {
  if (samples.length === 0) return undefined
  return LOOKS.find(([, isOne]) => samples.every(isOne))?.[0] ?? 'text'
}

/** Without a day above 12, the order is that of the organization's country. */
export function dateOrder(samples: readonly string[], country: string): CellFormat['dates'] {
  const days = samples.flatMap((sample) => {
    const [, first, separator, second] = SPLIT_DAY.exec(sample) ?? []
    return separator === undefined ? [] : [{ first: Number(first), separator, second: Number(second) }]
  })
  if (days.length === 0) return 'ymd'
  if (days.some(({ first }) => first > 12)) return 'dmy'
  if (days.some(({ second }) => second > 12)) return 'mdy'
  return country === 'US' && days.every(({ separator }) => separator !== '.') ? 'mdy' : 'dmy'
}

const COMMA_DECIMAL = /^[^,]*\d,(?:\d{1,2}|\d{4,})\D*$|\d\.\d{3},\d/
const POINT_DECIMAL = /^[^.]*\d\.(?:\d{1,2}|\d{4,})\D*$|\d,\d{3}\.\d/

/** `1,234` is read as a thousand: only what cannot be anything else speaks for a decimal comma. */
export function decimalSign(samples: readonly string[]): CellFormat['decimal'] {
  const numbers = samples.filter((sample) => NUMBER.test(sample) || isMoney(sample))
  const commas = numbers.filter((sample) => COMMA_DECIMAL.test(sample)).length
  return commas > numbers.filter((sample) => POINT_DECIMAL.test(sample)).length ? ',' : '.'
}
