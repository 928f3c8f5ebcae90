// Dates of pages: in the language of their words, with the clock of 12 or 24 hours that the browser has.
import { dateFormat as inWords } from '../../contract/language.ts'

/** Of the browser, as its fields for dates and times have it. */
function hourCycle(): 'h12' | 'h23' {
  const own = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle
  return own === 'h23' || own === 'h24' ? 'h23' : 'h12'
}

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  inWords({ ...options, hourCycle: hourCycle() })
