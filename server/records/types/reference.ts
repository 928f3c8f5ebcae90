import { isUuid } from '../../../contract/common.ts'
import { type Refusal, wrongType } from '../values/attribute.ts'
import { isReferenceValue, REFERENCE_VALUES_MAX, referenceKey } from '../values/reference-value.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const EXAMPLE = '0198c0de-0000-7000-8000-000000000001'
const FORM = `the id of a record, such as "${EXAMPLE}"`
const NOT_ID = `must be ${FORM}`
const NOT_REFERENCE_TYPE = wrongType(NOT_ID)
const NOT_REFERENCE: Refusal = { code: 'invalid_reference', message: NOT_ID }

/** The refusal of references by value beyond the limit, which were not looked up. */
const TOO_MANY: Refusal = {
  code: 'too_many',
  message: `must be the id of a record: a request names at most ${REFERENCE_VALUES_MAX} different records of an object by value`,
}

export const reference: RecordType = {
  check(value, { slug }, { references }) {
    if (references && isReferenceValue(value)) return references.get(referenceKey(slug, value)) ?? TOO_MANY
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
