// Checks whether an attribute has an operator, and normalizes the operands for the comparison.

import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { type FilterOperator, OPERANDS_MAX, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import { sentName } from '../../base/suggestions.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import type { ComparedAttribute } from '../types/record-type.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import { comparableOperand, searchOperand } from './operands.ts'
import type { PartAttribute } from './parts.ts'

/** The fields of an attribute that a filter needs. */
export type FilteredAttribute = Pick<ModelAttribute, 'slug' | 'type' | 'isList' | 'renaming'> &
  ComparedAttribute &
  Partial<Pick<PartAttribute, 'part'>> &
  Partial<Pick<ModelAttribute, 'targetObj'>>

/** A checked filter on one attribute, with normalized operands. */
export interface FilterLeaf {
  attribute: FilteredAttribute
  operator: FilterOperator
  operands: readonly string[]
}

export interface LeafInput {
  attribute: FilteredAttribute
  operator: FilterOperator
  value: unknown
}

/** A problem of a filter; the message follows the name of the value: `must be one value`. */
export interface FilterFault {
  part: 'operator' | 'value'
  code: string
  message: string
}

const faultyOperand = (message: string): FilterFault => ({ part: 'value', code: 'wrong_operand', message })

/** Why a value cannot be an operand of the operator, for any attribute. */
export function shapeProblem(operator: FilterOperator, value: unknown): string | undefined {
  const isArray = Array.isArray(value)
  switch (OPERATOR_SHAPES[operator].takes) {
    case 'nothing':
      return value === true || value === 'true' ? undefined : `must be true: ${operator} takes nothing else`
    case 'one':
      return isArray ? 'must be one value, not an array' : undefined
    case 'two':
      return isArray && value.length === 2 ? undefined : 'must be an array of two values, such as [1, 10]'
    case 'many':
      return isArray && value.length >= 1 && value.length <= OPERANDS_MAX
        ? undefined
        : `must be an array of 1 to ${OPERANDS_MAX} values`
  }
}

interface Reading {
  locale: Locale
  /** Whether a value, such as a template, is only known later. It is then not checked. */
  isOpen?: (value: unknown) => boolean
}

/** The message for a value that cannot be an operand. For null it names isEmpty. */
function noOperand({ type }: FilteredAttribute, sent: unknown): string {
  const form = RECORD_TYPES[type].operandForm ?? 'text'
  return sent === null || sent === undefined
    ? `must be ${form}; for records without a value use isEmpty`
    : `must be ${form}, not ${sentName(sent)}`
}

function readOperands({ attribute, operator, value }: LeafInput, { locale, isOpen }: Reading) {
  const operands: string[] = []
  for (const one of Array.isArray(value) ? value : [value]) {
    if (isOpen?.(one)) continue
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
      return { problem: noOperand(attribute, one) }
    const read = OPERATOR_SHAPES[operator].isPart
      ? searchOperand(attribute, String(one))
      : comparableOperand(attribute, String(one), locale)
    if ('problem' in read) return read
    operands.push(read.value)
  }
  return { operands }
}

export function checkLeaf(input: LeafInput, reading: Reading): FilterLeaf | FilterFault {
  const { attribute, operator, value } = input
  const known = TYPE_CONTRACTS[attribute.type].operators
  if (!known.includes(operator))
    return {
      part: 'operator',
      code: 'operator_not_defined',
      message: `must be one of ${known.join(', ')}: ${attribute.slug} is of type ${attribute.type}`,
    }
  const takesNothing = OPERATOR_SHAPES[operator].takes === 'nothing'
  const problem = !takesNothing && reading.isOpen?.(value) ? undefined : shapeProblem(operator, value)
  if (problem) return faultyOperand(problem)
  if (takesNothing) return { attribute, operator, operands: [] }
  const read = readOperands(input, reading)
  return 'problem' in read ? faultyOperand(read.problem) : { attribute, operator, operands: read.operands }
}
