import parsePhoneNumber, {
  type CountryCallingCode,
  type CountryCode,
  Metadata,
  type MetadataJson,
  parseDigits,
} from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

/**
 * The form in which phone numbers are compared: E.164, followed by the extension as RFC 3966 writes it (`;ext=12`).
 * `country` (ISO 3166-1 alpha-2) gives the country code of a number without +; undefined when `text` is not a phone
 * number.
 *
 * A number must be possible (right length for its country), not valid: validity depends on the ranges assigned when the
 * library was released, and would refuse numbers of ranges opened since, and fictitious ones.
 */
export const normalPhone = (text: string, country: string): string | undefined =>
  isPlainE164(text) ? text : readPhone(text, country)

/** The form that the library reads. */
export const readPhone = (text: string, country: string): string | undefined =>
  possibleNumber(text, country, oneCountryPerCode) ?? possibleNumber(text, country, metadata)

/**
 * The library spends most of its time on distinguishing countries with the same calling code, which E.164 does not
 * need. With only the main country, parsing takes 4 instead of 10 to 30 microseconds. Only the few numbers with
 * lengths that the main country does not have need the full check.
 */
const oneCountryPerCode: MetadataJson = {
  ...metadata,
  country_calling_codes: Object.fromEntries(
    Object.entries(metadata.country_calling_codes).map(([code, countries]) => [code, countries.slice(0, 1)]),
  ),
}

const isSupported = (country: string): country is CountryCode => Object.hasOwn(metadata.countries, country)

/** Metadata of the main country of a calling code. */
interface Plan {
  lengths: ReadonlySet<number>
  /** The digits that numbers of the country begin with only when they are dialed within it. */
  nationalPrefix: RegExp | undefined
}

/** A method that the library has, but its types do not. */
interface WithPrefix {
  nationalPrefixForParsing(): string | undefined
}

function planOf(country: CountryCode): Plan {
  const known = new Metadata(metadata)
  known.selectNumberingPlan(country)
  const plan = known.numberingPlan
  const prefix = (plan as WithPrefix | undefined)?.nationalPrefixForParsing()
  return {
    lengths: new Set(plan?.possibleLengths()),
    nationalPrefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
  }
}

const plans = new Map<string, Plan>()

/** The plan of the main country of a calling code. It is read when a number first needs it. */
function planOfCode(code: string): Plan | undefined {
  const [country] = metadata.country_calling_codes[code as CountryCallingCode] ?? []
  if (country === undefined || !isSupported(country)) return undefined
  const plan = plans.get(code) ?? planOf(country)
  plans.set(code, plan)
  return plan
}

const DIGITS = /^\+[1-9]\d{5,14}$/
const CALLING_CODE_LENGTHS = [1, 2, 3]

/**
 * Whether a text is already in E.164 form, as are most numbers that programs send: the library takes ten times as long
 * for the same result. False if only the library can decide.
 */
function isPlainE164(text: string): boolean {
  if (!DIGITS.test(text)) return false
  for (const length of CALLING_CODE_LENGTHS) {
    const plan = planOfCode(text.slice(1, 1 + length))
    if (!plan) continue
    const national = text.slice(1 + length)
    return plan.lengths.has(national.length) && !plan.nationalPrefix?.test(national)
  }
  return false
}

function possibleNumber(text: string, country: string, known: MetadataJson): string | undefined {
  // Without `extract: false` the library picks a number out of any sentence.
  const options = isSupported(country) ? { defaultCountry: country, extract: false } : { extract: false }
  const phone = parsePhoneNumber(text.trim(), options, known)
  if (!phone?.isPossible()) return undefined
  return phone.ext ? withExtension(phone.number, phone.ext) : phone.number
}

export const withExtension = (number: string, extension: string): string => `${number};ext=${extension}`

/** The digits of a phone number or of a part of one, of any script, as 0-9. */
export const phoneDigits = (text: string): string => parseDigits(text)
