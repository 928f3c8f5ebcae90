import sql from 'sql-template-tag'
import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { readCountry } from '../values/country.ts'
import { isParts, isRefusal, joinParts, takeParts } from '../values/parts.ts'
import { objectOrText } from './json-cell.ts'
import { plainText, type RecordType } from './record-type.ts'

const FORMS =
  'must be an object with any of line1, line2, city, state, postalCode and country as texts, or the address as one text'
const NOT_ADDRESS_TYPE = wrongType(FORMS)
const NOT_ADDRESS: Refusal = { code: 'invalid_address', message: FORMS }
const NOT_COUNTRY: Refusal = {
  code: 'invalid_address',
  message: 'must be the code of a country of two or three letters, such as "GB", or its name',
  part: 'country',
}

export const address: RecordType = {
  ...plainText,
  check(value) {
    if (typeof value === 'string') return isStorable(value) ? { value: { line1: value } } : NOT_STORABLE
    if (!isParts(value)) return NOT_ADDRESS_TYPE
    const parts = takeParts('address', value, NOT_ADDRESS)
    if (isRefusal(parts)) return parts
    if (parts['country'] === undefined) return { value: parts }
    const country = readCountry(parts['country'])
    return country === undefined ? NOT_COUNTRY : { value: { ...parts, country } }
  },
  text: (value) =>
    sql`nullif(concat_ws(', ', ${value}->>'line1', ${value}->>'line2', ${value}->>'city', ${value}->>'state', ${value}->>'postalCode', ${value}->>'country'), '')`,
  textIn: (value) => joinParts('address', value, ', '),
  isWorded: true,
  fromCell: objectOrText,
  toCell: JSON.stringify,
  example: () => ({ line1: '12 St James’s Square', city: 'London', country: 'GB' }),
}
