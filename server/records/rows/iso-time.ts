// Formats timestamps as ISO 8601. A page of 50 records has a hundred of them, and Date#toISOString was a tenth of its
// cost.

const DAY_MS = 86_400_000
const DAYS_MAX = 1000
const days = new Map<number, string>()
const TWO = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const THREE = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

function dayText(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  if (days.size >= DAYS_MAX) days.clear()
  const text = new Date(day * DAY_MS).toISOString().slice(0, 11)
  days.set(day, text)
  return text
}

/** The same result as `new Date(ms).toISOString()`. @param ms whole milliseconds since 1970 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  const rest = ms - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${dayText(day)}${TWO[hours]}:${TWO[minutes - hours * 60]}:${TWO[seconds - minutes * 60]}.${THREE[rest - seconds * 1000]}Z`
}
