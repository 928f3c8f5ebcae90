// Schedules as most are, by choice; the others as cron writes them.

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
  /** HH:MM; every hour, only the minute counts. */
  time: string
  /** 0 is Sunday, in order; of a week. */
  days: readonly number[]
  /** Of a month. */
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

/** Of days one after the other by comma; undefined for anything else. */
function daysOf(field: string): number[] | undefined {
  const days = field.split(',').map(dayOf)
  return days.every((day) => day !== undefined) ? [...new Set(days)].sort((a, b) => a - b) : undefined
}

const WEEKDAYS = /^(?:1-5|mon-fri)$/i

/** undefined: it is none of the presets. @param cron of five parts */
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

/** @returns cron of five parts */
export function cronOf({ every, time, days, date }: Schedule): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  if (every === 'hour') return `${minute} * * * *`
  const at = `${minute} ${hour}`
  if (every === 'day') return `${at} * * *`
  if (every === 'weekday') return `${at} * * 1-5`
  return every === 'week' ? `${at} * * ${days.join(',')}` : `${at} ${date} * *`
}
