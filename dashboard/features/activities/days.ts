// Days and times in the time zone of the browser.
import { relativeFormat } from '../../../contract/language.ts'
import { localDay } from '../../shared/values/local-input.ts'
import { dateFormat } from '../../ui/dates.ts'
import { lazy } from '../../ui/lazy.ts'

/** Local midnight of the day that is `plusDays` after `day`; undefined if `day` is invalid. */
export function startOfDay(day: string, plusDays = 0): string | undefined {
  const date = new Date(`${day}T00:00`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setDate(date.getDate() + plusDays)
  return date.toISOString()
}

const clock = lazy(() => dateFormat({ timeStyle: 'short' }))
const sameYear = lazy(() => dateFormat({ weekday: 'short', day: 'numeric', month: 'short' }))
const otherYear = lazy(() =>
  dateFormat({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }),
)
const nearby = lazy(() => relativeFormat({ numeric: 'auto' }))
const DAY_MS = 86_400_000
const utcDay = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const formatClock = (timestamp: string): string => clock().format(new Date(timestamp))

/** "Today", "yesterday" in the browser's words, else the weekday and date. @param day `2026-11-21` */
export function dayTitle(day: string, today: string): string {
  const distance = Math.round((utcDay(day) - utcDay(today)) / DAY_MS)
  if (Math.abs(distance) <= 1) {
    const words = nearby().format(distance, 'day')
    return words.slice(0, 1).toLocaleUpperCase() + words.slice(1)
  }
  const format = day.slice(0, 4) === today.slice(0, 4) ? sameYear() : otherYear()
  return format.format(new Date(`${day}T12:00`))
}

/** The time, with the day if it is not today. */
export function formatWhen(timestamp: string, now: number = Date.now()): string {
  const [day, today] = [localDay(timestamp), localDay(now)]
  return day === today ? formatClock(timestamp) : `${dayTitle(day, today)}, ${formatClock(timestamp)}`
}

/** The day for use within a sentence: "today", "yesterday", else the weekday and date. */
export function dayInSentence(timestamp: string, now: number = Date.now()): string {
  const [day, today] = [localDay(timestamp), localDay(now)]
  const title = dayTitle(day, today)
  return Math.abs(utcDay(day) - utcDay(today)) <= DAY_MS ? title.toLocaleLowerCase() : title
}
