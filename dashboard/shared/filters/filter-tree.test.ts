import { describe, expect, test } from 'vitest'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { ATTRIBUTE_TYPES } from '../../../contract/attribute-types.ts'
import type { Condition, FilterTree } from './filter.ts'
import { countConditions, isPlainGroup, replaceItem, rootGroup, rootTree, withItem } from './filter-tree.ts'
import { arityOf, firstOperand, isComplete } from './operands.ts'
import { firstOperator, operatorsOf, operatorWords } from './operator-words.ts'

const on = (attributeSlug: string): Condition => ({ attributeSlug, operator: 'equals', value: 'x' })
const [a, b, c] = [on('a'), on('b'), on('c')] as const

describe('a filter as one group', () => {
  test.each<[string, FilterTree | null, string, number]>([
    ['nothing', null, 'and', 0],
    ['one condition', a, 'and', 1],
    ['any of two', { or: [a, b] }, 'or', 2],
  ])('%s', (_, tree, junction, items) => {
    expect(rootGroup(tree)).toMatchObject({ junction })
    expect(rootGroup(tree).items).toHaveLength(items)
    expect(rootTree(rootGroup(tree))).toEqual(tree)
  })

  test('loses what is empty, and groups that hold one condition', () => {
    expect(rootTree({ junction: 'and', items: [a, { or: [b] }, { or: [] }] })).toEqual({ and: [a, b] })
    expect(rootTree(replaceItem(rootGroup({ and: [a, b] }), 0, null))).toEqual(b)
    expect(rootTree(replaceItem(rootGroup(a), 0, null))).toBe(null)
  })

  test('takes on and changes conditions in their place', () => {
    expect(rootTree(withItem(rootGroup(a), b))).toEqual({ and: [a, b] })
    expect(rootTree(replaceItem(rootGroup({ or: [a, b] }), 1, c))).toEqual({ or: [a, c] })
  })

  test('tells what can be edited, and counts', () => {
    expect(isPlainGroup({ or: [a, b] })).toBe(true)
    expect(isPlainGroup({ or: [a, { and: [b, c] }] })).toBe(false)
    expect(countConditions({ or: [a, { and: [b, c] }] })).toBe(3)
    expect(countConditions(null)).toBe(0)
  })
})

const TYPES: readonly AttributeType[] = ['text', 'number', 'date', 'checkbox', 'select', 'list', 'reference']

describe('operators', () => {
  test.each(TYPES)('of %s begin with one that is offered', (type) => {
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

  test.each(ATTRIBUTE_TYPES)('of %s: a new condition is complete, or still asks', (type) => {
    const operator = firstOperator(type)
    const condition = { attributeSlug: 'a', operator, value: firstOperand(operator) }
    expect(isComplete(condition)).toBe(arityOf(operator) === 'nothing')
    if (arityOf(operator) === 'nothing') expect(condition.value).toBe('true')
  })

  test('take nothing, one, two or many operands', () => {
    expect(['isTrue', 'contains', 'between', 'notIn'].map((one) => arityOf(one as 'in'))).toEqual([
      'nothing',
      'one',
      'two',
      'many',
    ])
  })
})
