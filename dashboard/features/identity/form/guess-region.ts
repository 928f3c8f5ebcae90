// Guesses the region of a new organization from the browser. The guess is shown, and can be changed.
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'
import { isTimeZone } from '../../../shared/time-zone.ts'

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
/** Codes of funds and of indexed units, which are not used for payments. */
const ACCOUNTING = new Set('BOV CHE CHW CLF COU MXV USN UYI UYW CUC VED'.split(' '))

/** A currency code begins with the country code, except in currency unions. US dollars if unknown. */
export function currencyOf(country: string): string {
  if (EURO.has(country)) return 'EUR'
  if (DOLLAR.has(country)) return 'USD'
  return CURRENCY_CODES.find((code) => code.startsWith(country) && !ACCOUNTING.has(code)) ?? 'USD'
}

interface WithTimeZones {
  getTimeZones?(): string[] | undefined
}

const timeZonesOf = (country: string) =>
  (new Intl.Locale(`und-${country}`) as WithTimeZones).getTimeZones?.() ?? []

let countries: ReadonlyMap<string, string> | undefined

/** Country by time zone. If several countries use a time zone, the first one. */
const countriesByTimeZone = (): ReadonlyMap<string, string> =>
  new Map(
    COUNTRY_CODES.toReversed().flatMap((code) => timeZonesOf(code).map((zone) => [zone, code] as const)),
  )

/** A time zone is a much better indication of the country than a language. */
function countryOfTimeZone(timeZone: string): string | undefined {
  countries ??= countriesByTimeZone()
  return countries.get(timeZone)
}

/** From a language such as `de-AT`. Regions such as Latin America (es-419) or the world (en-001) are ignored. */
function countryOfLanguage(language: string): string | undefined {
  try {
    const { region = '' } = new Intl.Locale(language).maximize()
    return COUNTRY_CODES.includes(region) ? region : undefined
  } catch {
    // Browsers may return the language of the system unchanged, such as `en-US@posix`.
    return undefined
  }
}

interface Browser {
  /** BCP 47. */
  language: string
  /** IANA name; some browsers do not return it. */
  timeZone: string | undefined
}

/** Only names with an area: the service rejects abbreviations such as AET, which browsers accept. */
const isPlace = (timeZone: string | undefined): timeZone is string =>
  isTimeZone(timeZone) && timeZone.includes('/')

/** Ignores invalid languages and time zones. */
export function guessRegion({ language, timeZone: named }: Browser): Region {
  const timeZone = isPlace(named) ? named : 'UTC'
  const country = countryOfTimeZone(timeZone) ?? countryOfLanguage(language) ?? 'US'
  return { country, currency: currencyOf(country), timeZone }
}

export const regionOfBrowser = (): Region =>
  guessRegion({
    language: navigator.language,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
