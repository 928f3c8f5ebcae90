// Where a new organization is, guessed from the browser: right for most, and shown to be changed.
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'

export interface Region {
  country: string
  currency: string
  timeZone: string
}

const EURO = new Set(
  'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT'.split(
    ' ',
  ),
)
const DOLLAR = new Set('AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI ZW'.split(' '))
/** Currencies of funds and of indexes, which no one is paid in. */
const ACCOUNTING = new Set('BOV CHE CHW CLF COU MXV USN UYI UYW CUC VED'.split(' '))

/** A currency's code begins with its country's, but for unions. US dollars where it is unknown. */
export function currencyOf(country: string): string {
  if (EURO.has(country)) return 'EUR'
  if (DOLLAR.has(country)) return 'USD'
  return CURRENCY_CODES.find((code) => code.startsWith(country) && !ACCOUNTING.has(code)) ?? 'USD'
}

interface WithTimeZones {
  getTimeZones?(): string[] | undefined
}

/** A language says little about where one is; a time zone nearly everything. */
const countryOfTimeZone = (timeZone: string): string | undefined =>
  COUNTRY_CODES.find((code) =>
    (new Intl.Locale(`und-${code}`) as WithTimeZones).getTimeZones?.()?.includes(timeZone),
  )

/** @param browser its language (BCP 47) and time zone (IANA) */
export function guessRegion(browser: { language: string; timeZone: string }): Region {
  const ofLanguage = new Intl.Locale(browser.language).maximize().region
  const country = countryOfTimeZone(browser.timeZone) ?? ofLanguage ?? 'US'
  return { country, currency: currencyOf(country), timeZone: browser.timeZone }
}

export const regionOfBrowser = (): Region =>
  guessRegion({
    language: navigator.language,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  })
