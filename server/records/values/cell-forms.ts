// How people and spreadsheets write numbers, amounts and days: the form of a cell, not its value.
const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:[,.’'\u00a0\u202f ]\d{3})+)(?:[.,]\d+)?$/
const SIGN = /(?:US|A|C|R)?\$|[€£¥₹₩₺₽₪₫₴₦]/
const CODE = /^[A-Z]{3}\s?(?=[-\d])|(?<=\d)\s?[A-Z]{3}$/
const ISO_DAY = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?$/

export const SPLIT_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})\b/

/** Digits of which a number would lose some: those of account numbers, postal codes and phone numbers. */
export const isDigitCode = (cell: string): boolean => /^(?:\+\d|-?0\d)/.test(cell)

export const hasFormOfNumber = (cell: string): boolean => NUMBER.test(cell)

export function hasFormOfMoney(cell: string): boolean {
  const amount = cell.replace(SIGN, '').replace(CODE, '').trim()
  return amount !== cell.trim() && NUMBER.test(amount)
}

export const hasFormOfDay = (cell: string): boolean => ISO_DAY.test(cell) || SPLIT_DAY.test(cell)
