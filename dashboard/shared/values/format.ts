// How values read: with every digit they have, as contract/language.ts says.
import { numberFormat, regionNames } from '../../../contract/language.ts'
import type { PersonName } from '../../../contract/person-name.ts'
import { dateFormat } from '../../ui/dates.ts'
import { lazy } from '../../ui/lazy.ts'

export interface Money {
  amount: number | string
  currency: string
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
export const isMoney = (value: unknown): value is Money => isObject(value) && 'amount' in value

/** Absent and null both mean that there is no value; so does an empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

// Groups of digits from 10,000 on: numbers below are often years.
const decimal = lazy(() => numberFormat({ maximumFractionDigits: 20, useGrouping: 'min2' }))
/** Numbers of many digits come as text, which the formatter reads exactly; what is no number stays as it is. */
export const formatNumber = (value: number | string): string =>
  Number.isNaN(Number(value)) ? String(value) : decimal().format(value as number)

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known) return known
  const format = numberFormat({
    style: 'currency',
    currency,
    maximumFractionDigits: 4,
    trailingZeroDisplay: 'stripIfInteger',
  })
  moneyFormats.set(currency, format)
  return format
}

export const formatMoney = ({ amount, currency }: Money): string =>
  moneyFormat(currency).format(amount as number)

const day = lazy(() => dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }))
const moment = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }))
/** @param value a calendar day, `2026-11-20`, never shifted by a time zone; or a timestamp, in the person's own */
export function formatDay(value: string): string {
  if (value.includes('T') && !Number.isNaN(Date.parse(value))) return moment().format(new Date(value))
  const date = new Date(`${value}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? value : day().format(date)
}

export const formatName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ')

const regions = lazy(() => regionNames())
export const countryName = (code: string): string => regions().of(code.toUpperCase()) ?? code
