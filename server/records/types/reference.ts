import { isUuid } from '../../../contract/common.ts'
import { type Refusal, wrongType } from '../values/attribute.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const NOT_REFERENCE_TYPE = wrongType('Send the id of a record as text.')
const EXAMPLE = '0198c0de-0000-7000-8000-000000000001'
const NOT_REFERENCE: Refusal = {
  code: 'invalid_reference',
  message: `Send the id of a record, such as "${EXAMPLE}".`,
}
const NOT_ID = 'The operand must be the id of a record.'

export const reference: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_REFERENCE_TYPE
    if (!isUuid(value)) return NOT_REFERENCE
    const id = value.toLowerCase()
    return { value: id, normal: id }
  },
  operand: (text) => valueOr(isUuid(text) ? text.toLowerCase() : undefined, NOT_ID),
  isKeyWhole: true,
  fromCell: trimmed,
  cells: { isOne: isUuid },
  example: () => EXAMPLE,
}
