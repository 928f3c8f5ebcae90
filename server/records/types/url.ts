import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { WEB_ADDRESS_MAX, webAddressOf } from '../values/web-address.ts'
import { type RecordType, trimmed } from './record-type.ts'

const FORMS = `must be a web address of at most ${WEB_ADDRESS_MAX} characters without a password, such as "https://example.com/pricing"`
const NOT_URL_TYPE = wrongType(FORMS)
const NOT_URL: Refusal = { code: 'invalid_url', message: FORMS }
const ADDRESS_CELL = /^(?:https?:\/\/|www\.)\S+$/i

export const url: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_URL_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    const canonical = webAddressOf(value)
    return canonical === undefined ? NOT_URL : { value: canonical, normal: canonical }
  },
  // A text that is not an address equals no stored value.
  operand: (text) => ({ value: webAddressOf(text) ?? text }),
  isWorded: true,
  fromCell: trimmed,
  cells: { isOne: (cell) => ADDRESS_CELL.test(cell) },
  example: () => 'https://example.com',
}
