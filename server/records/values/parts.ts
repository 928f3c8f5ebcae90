// Types made of named texts: name and address.
import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }
import { isStorable } from '../../http/storable.ts'
import { isRawNumber } from '../../json.ts'
import { type Check, type Refusal, wrongType } from './attribute.ts'
import { NOT_STORABLE } from './text.ts'

const NAME_FORMS =
  'Send {"firstName":"Ada","lastName":"Lovelace"}, either of them may be missing, or "Ada Lovelace".'
const NOT_NAME_TYPE = wrongType(NAME_FORMS)
const NOT_NAME: Refusal = { code: 'invalid_name', message: NAME_FORMS }
const ADDRESS_FORMS =
  'Send an object with any of line1, line2, city, state, postalCode and country as texts, or the address as one text'
const NOT_ADDRESS_TYPE = wrongType(`${ADDRESS_FORMS}.`)
const NOT_ADDRESS: Refusal = {
  code: 'invalid_address',
  message: `${ADDRESS_FORMS}; country is an ISO 3166-1 code of two letters, such as "GB".`,
}
const NAME_PARTS = ['firstName', 'lastName']
const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country']
const COUNTRIES: ReadonlySet<string | undefined> = new Set(countries.map(([alpha2]) => alpha2))
const TWO_LETTERS = /^[A-Za-z]{2}$/

type Parts = { [part: string]: string }

export const checkName: Check = (value) => {
  if (typeof value === 'string')
    return isStorable(value) ? acceptName(splitName(tidyName(value))) : NOT_STORABLE
  if (!isParts(value)) return NOT_NAME_TYPE
  const name = takeParts(tidyParts(value), NAME_PARTS, NOT_NAME)
  return isRefusal(name) ? name : acceptName(name)
}

/** Without spaces around it, and with one space where there were several, or a tab or line break. */
export const tidyName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

const tidyParts = (parts: { [part: string]: unknown }) =>
  Object.fromEntries(
    Object.entries(parts).map(([part, text]) => [part, typeof text === 'string' ? tidyName(text) : text]),
  )

const acceptName = (name: Parts) => ({
  value: name,
  normal: NAME_PARTS.flatMap((part) => name[part] ?? []).join(' '),
})

/** At the last space. */
function splitName(text: string): Parts {
  const at = text.lastIndexOf(' ')
  if (at === -1) return { firstName: text }
  return { firstName: text.slice(0, at), lastName: text.slice(at + 1) }
}

export const checkAddress: Check = (value) => {
  if (typeof value === 'string') return isStorable(value) ? { value: { line1: value } } : NOT_STORABLE
  if (!isParts(value)) return NOT_ADDRESS_TYPE
  const address = takeParts(value, ADDRESS_PARTS, NOT_ADDRESS)
  if (isRefusal(address)) return address
  const country = address['country']
  if (country === undefined) return { value: address }
  // Letters are asked for first: upper-casing turns some others into A to Z.
  if (!TWO_LETTERS.test(country) || !COUNTRIES.has(country.toUpperCase())) return NOT_ADDRESS
  return { value: { ...address, country: country.toUpperCase() } }
}

const isParts = (value: unknown): value is { [part: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

const isRefusal = (parts: Parts | Refusal): parts is Refusal => 'code' in parts

const SHOWN_MAX = 100

const unknownPart = (part: string, known: string[], { code }: Refusal): Refusal => ({
  code,
  message: `There is no part ${JSON.stringify(part.slice(0, SHOWN_MAX))}: ${code === 'invalid_name' ? 'a name' : 'an address'} has ${known.join(', ')}.`,
})

/** The non-empty parts, in the order of `known`; refused when a key is unknown, a part is not text, or all are empty. */
function takeParts(value: { [part: string]: unknown }, known: string[], refusal: Refusal): Parts | Refusal {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) return unknownPart(unknown, known, refusal)
  const taken: Parts = {}
  for (const part of known) {
    const text = value[part]
    if (text === undefined || text === null || text === '') continue
    if (typeof text !== 'string') return refusal
    if (!isStorable(text)) return NOT_STORABLE
    taken[part] = text
  }
  return Object.keys(taken).length === 0 ? refusal : taken
}
