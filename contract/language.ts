// The language of pages, emails and messages. The words are English, so the numbers, dates and lists among them are too,
// in every browser and on every machine. Only what people type is read in the browser's way.

/** One of words, numbers and dates alike. */
export const LANGUAGE = 'en-US'

export const numberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(LANGUAGE, options)

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(LANGUAGE, options)

export const relativeFormat = (options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat =>
  new Intl.RelativeTimeFormat(LANGUAGE, options)

export const listFormat = (options?: Intl.ListFormatOptions): Intl.ListFormat =>
  new Intl.ListFormat(LANGUAGE, options)

let regions: Intl.DisplayNames | undefined

export function countryName(code: string): string {
  regions ??= new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'code' })
  return regions.of(code.toUpperCase()) ?? code
}
