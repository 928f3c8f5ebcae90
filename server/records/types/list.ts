import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { plainText, type RecordType } from './record-type.ts'

const NOT_LIST_TYPE = wrongType('must be text, or an array of texts such as ["vip","eu"]')
const TEXT_MAX = 1000
const TOO_LONG: Refusal = {
  code: 'invalid_list',
  message: `must have at most ${TEXT_MAX} characters: send a shorter text`,
}

/** Checks one text of a list. */
export const list: RecordType = {
  ...plainText,
  check(value) {
    if (typeof value !== 'string') return NOT_LIST_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    return value.length > TEXT_MAX ? TOO_LONG : { value }
  },
  isWorded: true,
  example: () => ['one', 'two'],
}
