import { describe, expect, test } from 'vitest'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { ATTRIBUTE_TYPES } from '../../../contract/attribute-types.ts'
import { arityOf, firstOperand, isComplete } from './operands.ts'
import { firstOperator, operatorsOf, operatorWords } from './operator-words.ts'

const TYPES: readonly AttributeType[] = ['text', 'number', 'date', 'checkbox', 'select', 'list', 'reference']

describe('operators', () => {
  test.each(TYPES)('the first operator of %s is one of those offered', (type) => {
    expect(operatorsOf(type)).toContain(firstOperator(type))
  })

  test.each([
    ['date', 'greaterThan', 'is after'],
    ['number', 'greaterThan', 'is more than'],
    ['list', 'equals', 'has'],
    ['select', 'equals', 'is'],
  ] as const)('of %s: %s in words', (type, operator, words) => {
    expect(operatorWords({ type, isList: false }, operator)).toBe(words)
  })

  test.each([
    ['equals', 'x', true],
    ['equals', '', false],
    ['isEmpty', 'true', true],
    ['in', [], false],
    ['in', ['x'], true],
    ['between', ['1', ''], false],
    ['between', ['1', '2'], true],
  ] as const)('%s with %j: complete is %s', (operator, value, complete) => {
    const condition = { attributeSlug: 'a', operator, value: typeof value === 'string' ? value : [...value] }
    expect(isComplete(condition)).toBe(complete)
  })

  test.each(ATTRIBUTE_TYPES)('a new condition on %s is complete only if it takes no operand', (type) => {
    const operator = firstOperator(type)
    const condition = { attributeSlug: 'a', operator, value: firstOperand(operator) }
    expect(isComplete(condition)).toBe(arityOf(operator) === 'nothing')
    if (arityOf(operator) === 'nothing') expect(condition.value).toBe('true')
  })

  test('take no, one, two or many operands', () => {
    expect(['isTrue', 'contains', 'between', 'notIn'].map((one) => arityOf(one as 'in'))).toEqual([
      'nothing',
      'one',
      'two',
      'many',
    ])
  })
})
