import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }
import sql from 'sql-template-tag'
import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { isParts, isRefusal, joinParts, takeParts } from '../values/parts.ts'
import { objectOrText } from './json-cell.ts'
import { plainText, type RecordType } from './record-type.ts'

const FORMS =
  'Send an object with any of line1, line2, city, state, postalCode and country as texts, or the address as one text'
const NOT_ADDRESS_TYPE = wrongType(`${FORMS}.`)
const NOT_ADDRESS: Refusal = {
  code: 'invalid_address',
  message: `${FORMS}; country is an ISO 3166-1 code of two letters, such as "GB".`,
}
const COUNTRIES: ReadonlySet<string | undefined> = new Set(countries.map(([alpha2]) => alpha2))
const TWO_LETTERS = /^[A-Za-z]{2}$/

export const address: RecordType = {
  ...plainText,
  check(value) {
    if (typeof value === 'string') return isStorable(value) ? { value: { line1: value } } : NOT_STORABLE
    if (!isParts(value)) return NOT_ADDRESS_TYPE
    const parts = takeParts('address', value, NOT_ADDRESS)
    if (isRefusal(parts)) return parts
    const country = parts['country']
    if (country === undefined) return { value: parts }
    // Checks for A to Z before upper-casing, which converts some other letters to A to Z.
    if (!TWO_LETTERS.test(country) || !COUNTRIES.has(country.toUpperCase())) return NOT_ADDRESS
    return { value: { ...parts, country: country.toUpperCase() } }
  },
  text: (value) =>
    sql`nullif(concat_ws(', ', ${value}->>'line1', ${value}->>'line2', ${value}->>'city', ${value}->>'state', ${value}->>'postalCode', ${value}->>'country'), '')`,
  textIn: (value) => joinParts('address', value, ', '),
  isWorded: true,
  fromCell: objectOrText,
  toCell: JSON.stringify,
  example: () => ({ line1: '12 St James’s Square', city: 'London', country: 'GB' }),
}
