// Formats dates of pages in the language of the texts, with the browser's 12-hour or 24-hour clock.
import { dateFormat as inWords } from '../../contract/language.ts'

/** The clock of the browser, which its date and time fields use too. */
function hourCycle(): 'h12' | 'h23' {
  const own = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle
  return own === 'h23' || own === 'h24' ? 'h23' : 'h12'
}

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  inWords({ ...options, hourCycle: hourCycle() })
