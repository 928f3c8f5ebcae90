// Time zones that a browser or an organization names, and this browser may not know.

/** By its name: differences to UTC, such as `+02:00`, are for browsers only. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || !/^[A-Za-z]/.test(name) || name === 'Etc/Unknown') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** One that this browser can write times in: UTC in place of one it does not know. */
export const knownTimeZone = (name: string): string => (isTimeZone(name) ? name : 'UTC')
