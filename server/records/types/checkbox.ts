import { isYesOrNo, readYesNo } from '../../../contract/yes-no.ts'
import { type Refusal, wrongType } from '../values/attribute.ts'
import { type RecordType, valueOr } from './record-type.ts'

const FORM = 'true or false'
const NOT_FLAG = `must be ${FORM}`
const NOT_CHECKBOX_TYPE = wrongType(NOT_FLAG)
const NOT_CHECKBOX: Refusal = { code: 'invalid_checkbox', message: NOT_FLAG }

export const checkbox: RecordType = {
  check(value) {
    if (typeof value === 'boolean') return { value }
    if (value === 'true') return { value: true }
    if (value === 'false') return { value: false }
    return typeof value === 'string' ? NOT_CHECKBOX : NOT_CHECKBOX_TYPE
  },
  operand: (text) => valueOr(text === 'true' || text === 'false' ? text : undefined, NOT_FLAG),
  operandForm: FORM,
  isKeyWhole: true,
  fromCell: (text) => readYesNo(text) ?? text.trim(),
  cells: { isOne: isYesOrNo, isStrict: true },
  example: () => true,
}
