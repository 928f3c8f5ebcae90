// How people and spreadsheets write numbers, amounts and days: the form of a cell, not its value.
import { readNamedDay } from '../../../contract/named-day.ts'

const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:[,.’'\u00a0\u202f ]\d{3})+)(?:[.,]\d+)?$/
const SIGN = /(?:US|A|C|R)?\$|[€£¥₹₩₺₽₪₫₴₦]/
const CODE = /^[A-Z]{3}\s?(?=[-\d])|(?<=[\dkm])\s?[A-Z]{3}$/
/** `1.2k`, `3 Mio`: only in a column with signs or codes of currencies. */
const SHORT = /(?<=\d)\s?(?:k|tsd|m|mn|mio|b|bn|mrd)\.?$/i
const ISO_DAY = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?$/

export const SPLIT_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})\b/

/** Whether a number would lose digits of the cell, as of account numbers, postal codes and phone numbers. */
export const isDigitCode = (cell: string): boolean => /^(?:\+\d|-?0\d)/.test(cell)

/** A short amount does not show which sign is before decimals, because it has no groups of thousands. */
export const isShortAmount = (cell: string): boolean =>
  SHORT.test(cell.replace(SIGN, '').replace(CODE, '').trim())

export const hasFormOfNumber = (cell: string): boolean => NUMBER.test(cell)

export function hasFormOfMoney(cell: string): boolean {
  const amount = cell.replace(SIGN, '').replace(CODE, '').trim()
  return amount !== cell.trim() && NUMBER.test(amount.replace(SHORT, ''))
}

export const hasFormOfDay = (cell: string): boolean =>
  ISO_DAY.test(cell) || SPLIT_DAY.test(cell) || readNamedDay(cell, (digits) => digits) !== undefined
