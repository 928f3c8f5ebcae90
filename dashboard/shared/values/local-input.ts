// Converts timestamps to and from the user's time zone.
const pad = (number: number) => String(number).padStart(2, '0')

/** The day of a timestamp in the local time zone: `2026-11-21`. */
export function localDay(time: string | number | Date): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** The value for `<input type="datetime-local">`: `2026-11-21T09:30`. */
export function toLocalInput(time: string | number | Date): string {
  const date = new Date(time)
  return `${localDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The timestamp in UTC; undefined if the field is incomplete. */
export function fromLocalInput(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
