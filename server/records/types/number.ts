import { NUMBER_DIGITS_MAX } from '../../../contract/limits.ts'
import { type Refusal, wrongType } from '../values/attribute.ts'
import { hasFormOfNumber } from '../values/cell-forms.ts'
import {
  canonicalDecimal,
  decimalCell,
  exactNumber,
  isNumeric,
  numberParts,
  plainDecimal,
} from '../values/number.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const NOT_NUMBER_TYPE = wrongType('must be a number, such as 12.5 or "12.5"')
const NOT_NUMBER: Refusal = {
  code: 'invalid_number',
  message: `must be a number, such as 12.5 or "12.5", with at most ${NUMBER_DIGITS_MAX} digits before and after the point, at most ${NUMBER_DIGITS_MAX} of them significant`,
}

export const DECIMAL_FORM = 'a number, such as 12.5'
export const NOT_DECIMAL = `must be ${DECIMAL_FORM}`

export const number: RecordType = {
  check(value, attribute) {
    if (!isNumeric(value)) return NOT_NUMBER_TYPE
    const text = plainDecimal(numberParts(value))
    if (text === undefined) return NOT_NUMBER
    return attribute.isUnique ? { value: exactNumber(text), normal: text } : { value: exactNumber(text) }
  },
  operand: (text) => valueOr(canonicalDecimal(text), NOT_DECIMAL),
  operandForm: DECIMAL_FORM,
  number: (value) => value,
  fromCell: trimmed,
  cells: { isOne: hasFormOfNumber, isStrict: true },
  toCell: decimalCell,
  example: () => 42,
}
