import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, wrongType } from '../values/attribute.ts'
import { plainText, type RecordType } from './record-type.ts'

const NOT_TEXT = wrongType('must be text')

export const text: RecordType = {
  ...plainText,
  check(value) {
    if (typeof value !== 'string') return NOT_TEXT
    return isStorable(value) ? { value, normal: value } : NOT_STORABLE
  },
  isMultiline: true,
  isWorded: true,
  example: ({ name }) => `${name} of an example`,
}
