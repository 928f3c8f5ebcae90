// Normalizes operands of filters like the stored values that they are compared with.
import { inNfc, singleLine } from '../../../contract/single-line.ts'
import { isStorable, NOT_STORABLE as NOT_STORABLE_MESSAGE } from '../../http/storable.ts'
import type { ComparedAttribute, Operand } from '../types/record-type.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale, ValueAttribute } from '../values/attribute.ts'

const NOT_STORABLE: Operand = { problem: NOT_STORABLE_MESSAGE }

/** The operand of equals, notEquals, the orderings, in and between. */
export function comparableOperand(attribute: ComparedAttribute, text: string, locale: Locale): Operand {
  if (!isStorable(text)) return NOT_STORABLE
  const { operand, isMultiline } = RECORD_TYPES[attribute.type]
  return operand(isMultiline ? inNfc(text) : singleLine(text), locale, attribute)
}

/** The operand of contains, notContains, startsWith and endsWith. */
export const searchOperand = ({ type }: Pick<ValueAttribute, 'type'>, text: string): Operand =>
  isStorable(text) ? (RECORD_TYPES[type].part?.(inNfc(text)) ?? { value: inNfc(text) }) : NOT_STORABLE
