// What the cells of a column look like.
import { ATTRIBUTE_TYPES, type AttributeType } from '../../contract/attribute-types.ts'
import type { CellFormat } from '../../contract/imports.ts'
import { RECORD_TYPES } from '../records/types.ts'
import { hasFormOfMoney, hasFormOfNumber, SPLIT_DAY } from '../records/values/cell-forms.ts'

/** Types that others are mistaken for are tried last. */
const BY_FORM = ATTRIBUTE_TYPES.toSorted(
  (a, b) => Number(RECORD_TYPES[a].cells?.isLoose ?? false) - Number(RECORD_TYPES[b].cells?.isLoose ?? false),
)

/** The type that every sample has the form of; text when there is none, undefined without samples. */
export function contentType(samples: readonly string[]): AttributeType | undefined {
  if (samples.length === 0) return undefined
  const hasForm = (type: AttributeType) => {
    const { cells } = RECORD_TYPES[type]
    return cells !== undefined && samples.every((sample) => cells.isOne(sample))
  }
  return BY_FORM.find(hasForm) ?? 'text'
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
  const numbers = samples.filter((sample) => hasFormOfNumber(sample) || hasFormOfMoney(sample))
  const commas = numbers.filter((sample) => COMMA_DECIMAL.test(sample)).length
  return commas > numbers.filter((sample) => POINT_DECIMAL.test(sample)).length ? ',' : '.'
}
