import { type Refusal, wrongType } from '../values/attribute.ts'
import { hasFormOfDay } from '../values/cell-forms.ts'
import { dayOf } from '../values/day.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const FORMS =
  'Send a calendar day, such as "2026-11-20", or a timestamp with its offset, such as "2026-11-20T10:00:00Z".'
const NOT_DATE_TYPE = wrongType(FORMS)
const NOT_DATE: Refusal = { code: 'invalid_date', message: FORMS }
const NOT_DAY = 'The operand must be a calendar day, such as 2026-11-20, or a timestamp with its offset.'

export const date: RecordType = {
  check(value) {
    if (typeof value !== 'string') return NOT_DATE_TYPE
    const day = dayOf(value)
    return day === undefined ? NOT_DATE : { value: day, normal: day }
  },
  operand: (text) => valueOr(dayOf(text), NOT_DAY),
  isKeyWhole: true,
  fromCell: trimmed,
  cells: { isOne: hasFormOfDay, isStrict: true },
  example: ({ today }) => today,
}
