import { isUuid } from '../../../contract/common.ts'
import { type Refusal, wrongType } from '../values/attribute.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const EXAMPLE = '0198c0de-0000-7000-8000-000000000001'
const FORM = `the id of a record, such as "${EXAMPLE}"`
const NOT_ID = `must be ${FORM}`
const NOT_REFERENCE_TYPE = wrongType(NOT_ID)
const NOT_REFERENCE: Refusal = { code: 'invalid_reference', message: NOT_ID }

export const reference: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_REFERENCE_TYPE
    if (!isUuid(value)) return NOT_REFERENCE
    const id = value.toLowerCase()
    return { value: id, normal: id }
  },
  operand: (text) => valueOr(isUuid(text) ? text.toLowerCase() : undefined, NOT_ID),
  operandForm: FORM,
  isKeyWhole: true,
  fromCell: trimmed,
  cells: { isOne: isUuid },
  example: () => EXAMPLE,
}
