// Converts common schedules, which can be chosen in a form, to cron and back.

export const EVERY = ['hour', 'day', 'weekday', 'week', 'month', 'custom'] as const
export type Every = (typeof EVERY)[number]

export const EVERY_WORDS: Readonly<Record<Every, string>> = {
  hour: 'Every hour',
  day: 'Every day',
  weekday: 'Monday to Friday',
  week: 'On days of the week',
  month: 'Every month',
  custom: 'Another schedule',
}

export interface Schedule {
  every: Exclude<Every, 'custom'>
  /** HH:MM; for an hourly schedule only the minute is used. */
  time: string
  /** Days of the week in order; 0 is Sunday. */
  days: readonly number[]
  /** Day of the month. */
  date: number
}

export const BEGINNING: Schedule = { every: 'week', time: '09:00', days: [1], date: 1 }

const two = (text: string) => text.padStart(2, '0')
const isIn = (text: string, least: number, most: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most

const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function dayOf(text: string): number | undefined {
  if (isIn(text, 0, 7)) return Number(text) % 7
  const named = DAY_NAMES.indexOf(text.toUpperCase())
  return named < 0 ? undefined : named
}

/** Days from a list with commas; undefined for other fields. */
function daysOf(field: string): number[] | undefined {
  const days = field.split(',').map(dayOf)
  return days.every((day) => day !== undefined) ? [...new Set(days)].sort((a, b) => a - b) : undefined
}

const WEEKDAYS = /^(?:1-5|mon-fri)$/i

/** @param cron of five fields @returns undefined if no preset matches */
export function scheduleOf(cron: string): Schedule | undefined {
  const [minute = '', hour = '', date = '', month = '', day = '', ...rest] = cron.trim().split(/\s+/)
  if (rest.length > 0 || month !== '*' || !isIn(minute, 0, 59)) return undefined
  if (hour === '*')
    return date === '*' && day === '*'
      ? { ...BEGINNING, every: 'hour', time: `00:${two(minute)}` }
      : undefined
  if (!isIn(hour, 0, 23)) return undefined
  const timed = { ...BEGINNING, time: `${two(hour)}:${two(minute)}` }
  if (day === '*') {
    if (date === '*') return { ...timed, every: 'day' }
    return isIn(date, 1, 31) ? { ...timed, every: 'month', date: Number(date) } : undefined
  }
  if (date !== '*') return undefined
  if (WEEKDAYS.test(day)) return { ...timed, every: 'weekday' }
  const days = daysOf(day)
  return days && { ...timed, every: 'week', days }
}

/** @returns cron of five fields */
export function cronOf({ every, time, days, date }: Schedule): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  if (every === 'hour') return `${minute} * * * *`
  const at = `${minute} ${hour}`
  if (every === 'day') return `${at} * * *`
  if (every === 'weekday') return `${at} * * 1-5`
  return every === 'week' ? `${at} * * ${days.join(',')}` : `${at} ${date} * *`
}
