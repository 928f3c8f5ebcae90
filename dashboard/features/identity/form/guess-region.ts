// Where a new organization is, guessed from the browser: right for most, and shown to be changed.
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

const timeZonesOf = (country: string) =>
  (new Intl.Locale(`und-${country}`) as WithTimeZones).getTimeZones?.() ?? []

let countries: ReadonlyMap<string, string> | undefined

/** By time zone; of several countries the first. */
const countriesByTimeZone = (): ReadonlyMap<string, string> =>
  new Map(
    COUNTRY_CODES.toReversed().flatMap((code) => timeZonesOf(code).map((zone) => [zone, code] as const)),
  )

/** A language says little about where one is; a time zone nearly everything. */
function countryOfTimeZone(timeZone: string): string | undefined {
  countries ??= countriesByTimeZone()
  return countries.get(timeZone)
}

/** Of a language such as `de-AT`. Regions such as Latin America (es-419) and the world (en-001) are no countries. */
function countryOfLanguage(language: string): string | undefined {
  try {
    const { region = '' } = new Intl.Locale(language).maximize()
    return COUNTRY_CODES.includes(region) ? region : undefined
  } catch {
    // Browsers pass on what the system has as its language, such as `en-US@posix`.
    return undefined
  }
}

interface Browser {
  /** BCP 47. */
  language: string
  /** IANA name; some browsers do not know it. */
  timeZone: string | undefined
}

/** Those with an area: abbreviations such as AET are known to browsers only. */
const isPlace = (timeZone: string | undefined): timeZone is string =>
  isTimeZone(timeZone) && timeZone.includes('/')

/** Anything the browser says that is not a language or a time zone counts as not said. */
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
