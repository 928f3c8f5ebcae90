const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
// RFC 3339, section 5.6: a space may replace the T, and a leap second is written 60.
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/
const MINUTE_MS = 60_000

/** The day `YYYY-MM-DD` (years 0001 to 9999) that `text` names, or the UTC day of an RFC 3339 timestamp. */
export function dayOf(text: string): string | undefined {
  if (isDay(text)) return text
  const [, day = '', time, sign, hours, minutes] = TIMESTAMP.exec(text) ?? []
  if (!isDay(day)) return undefined
  if (sign === undefined) return day
  const offsetMs = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  // Seconds never change the day: offsets are whole minutes.
  const utc = new Date(Date.parse(`${day}T${time}:00Z`) - offsetMs).toISOString()
  const utcDay = utc.slice(0, utc.indexOf('T'))
  return isDay(utcDay) ? utcDay : undefined
}

/**
 * Milliseconds since 1970 of the start of a day in UTC, or of an RFC 3339 timestamp; undefined: the text is neither.
 */
export function timestampOfDay(text: string): number | undefined {
  if (isDay(text)) return Date.parse(`${text}T00:00:00Z`)
  const [, day = ''] = TIMESTAMP.exec(text) ?? []
  if (!isDay(day)) return undefined
  // Dates of JavaScript have no leap seconds.
  return Date.parse(
    text
      .toUpperCase()
      .replace(' ', 'T')
      .replace(/:60(?=[.Z+-])/, ':59'),
  )
}

export function isDay(text: string): boolean {
  const match = DAY.exec(text)
  if (!match) return false
  const year = Number(match[1])
  const day = Number(match[3])
  return year >= 1 && day >= 1 && day <= daysIn(year, Number(match[2]))
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 0 for a month that does not exist. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}
