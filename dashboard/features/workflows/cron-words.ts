// Describes common schedules in words. Others are shown as cron.
import { listFormat } from '../../../contract/language.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const SHORT = DAYS.map((day) => day.slice(0, 3).toUpperCase())

const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text)

function dayName(text: string): string | undefined {
  const index = isNumber(text) ? Number(text) % 7 : SHORT.indexOf(text.toUpperCase())
  return DAYS[index]
}

const list = listFormat({ type: 'conjunction' })

/** `Monday and Friday`, `Monday to Friday`; undefined for other fields. */
function daysWords(field: string): string | undefined {
  const [from = '', to, more] = field.split('-')
  if (to !== undefined && more === undefined) {
    const [first, last] = [dayName(from), dayName(to)]
    return first && last ? `${first} to ${last}` : undefined
  }
  const names = field.split(',').map(dayName)
  return names.every((name) => name !== undefined) ? list.format(names) : undefined
}

const two = (text: string) => text.padStart(2, '0')

/** Times are in the 24-hour format, like in cron. */
function timeWords(minute: string, hour: string): string | undefined {
  return isNumber(minute) && isNumber(hour) ? `${two(hour)}:${two(minute)}` : undefined
}

function stepWords(minute: string, hour: string): string | undefined {
  const every = /^\*\/(\d{1,2})$/.exec(minute)?.[1]
  if (every !== undefined && hour === '*') return `every ${every} minutes`
  if (minute === '*' && hour === '*') return 'every minute'
  if (minute === '0' && hour === '*') return 'every hour'
  return isNumber(minute) && hour === '*' ? `every hour at minute ${minute}` : undefined
}

/** `every Monday at 09:00`; for rare schedules `on the schedule 0 9 1-7 * 1`. @param cron of five fields */
export function cronWords(cron: string): string {
  const other = `on the schedule ${cron.trim()}`
  const [minute = '', hour = '', date = '', month = '', day = '', ...rest] = cron.trim().split(/\s+/)
  if (rest.length > 0 || month !== '*') return other
  const time = timeWords(minute, hour)
  if (date === '*' && day === '*') return time ? `every day at ${time}` : (stepWords(minute, hour) ?? other)
  if (!time) return other
  if (date === '*') {
    const days = daysWords(day)
    return days ? `every ${days} at ${time}` : other
  }
  return day === '*' && isNumber(date) ? `on day ${date} of every month at ${time}` : other
}
