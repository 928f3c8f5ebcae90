// Dates for people, in English.
import type { Local } from './zones.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

const two = (n: number) => String(n).padStart(2, '0')
const weekday = (local: Local) => WEEKDAYS[local.dayOfWeek - 1] ?? ''
const month = ({ month: number }: Local) => MONTHS[number - 1] ?? ''
const hour12 = ({ hour }: Local) => ((hour + 11) % 12) + 1

const TOKENS: Readonly<Record<string, (local: Local) => string>> = {
  YYYY: ({ year }) => String(year).padStart(4, '0'),
  YY: ({ year }) => two(year % 100),
  MMMM: month,
  MMM: (local) => month(local).slice(0, 3),
  MM: (local) => two(local.month),
  M: (local) => String(local.month),
  DD: ({ day }) => two(day),
  D: ({ day }) => String(day),
  dddd: weekday,
  ddd: (local) => weekday(local).slice(0, 3),
  HH: ({ hour }) => two(hour),
  H: ({ hour }) => String(hour),
  hh: (local) => two(hour12(local)),
  h: (local) => String(hour12(local)),
  mm: ({ minute }) => two(minute),
  ss: ({ second }) => two(second),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
}

const FORMAT_CHARS_MAX = 200
const TOKEN = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|A/g

/** By the letters of contract/workflow-functions.ts; what is in brackets stays as it is. */
export const formatDate = (local: Local, format: string): string =>
  format
    .slice(0, FORMAT_CHARS_MAX)
    .toWellFormed()
    .replace(TOKEN, (token, kept?: string) => kept ?? TOKENS[token]?.(local) ?? token)
