// Time zone names of browsers and organizations. This browser may not support all of them.

/** Accepts names only. Offsets such as `+02:00` are valid only in browsers. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || !/^[A-Za-z]/.test(name) || name === 'Etc/Unknown') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The zone if this browser supports it, otherwise UTC. */
export const knownTimeZone = (name: string): string => (isTimeZone(name) ? name : 'UTC')
