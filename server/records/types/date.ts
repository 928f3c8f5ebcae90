import { type Refusal, wrongType } from '../values/attribute.ts'
import { hasFormOfDay } from '../values/cell-forms.ts'
import { dayOf } from '../values/day.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const FORMS =
  'a calendar day, such as "2026-11-20", or a timestamp with its offset, such as "2026-11-20T10:00:00Z"'
const NOT_DAY = `must be ${FORMS}`
const NOT_DATE_TYPE = wrongType(NOT_DAY)
const NOT_DATE: Refusal = { code: 'invalid_date', message: NOT_DAY }

export const date: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_DATE_TYPE
    const day = dayOf(value)
    return day === undefined ? NOT_DATE : { value: day, normal: day }
  },
  operand: (text) => valueOr(dayOf(text), NOT_DAY),
  operandForm: FORMS,
  isKeyWhole: true,
  fromCell: trimmed,
  cells: { isOne: hasFormOfDay, isStrict: true },
  example: ({ today }) => today,
}
