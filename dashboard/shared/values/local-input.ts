// Moments as the person at the browser enters them.
const pad = (number: number) => String(number).padStart(2, '0')

/** The day a moment is on, here: `2026-11-21`. */
export function localDay(moment: string | number | Date): string {
  const date = new Date(moment)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** What `<input type="datetime-local">` takes: `2026-11-21T09:30`. */
export function toLocalInput(moment: string | number | Date): string {
  const date = new Date(moment)
  return `${localDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The moment in UTC; undefined when the field is not filled in completely. */
export function fromLocalInput(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
