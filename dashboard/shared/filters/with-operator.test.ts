import { expect, test } from 'vitest'
import type { FilterOperator } from '../../../contract/operators.ts'
import { keptOperand, withOperator } from './with-operator.ts'

test.each([
  ['equals', 'x', 'contains', 'x'],
  ['equals', 'x', 'in', ['x']],
  ['equals', '', 'in', []],
  ['equals', false, 'notEquals', false],
  ['equals', '5', 'between', ['5', '']],
  ['between', ['5', '7'], 'lessThan', '5'],
  ['in', ['a', 'b', 'c'], 'between', ['a', 'b']],
  ['in', ['a', 'b'], 'isEmpty', 'true'],
  ['isEmpty', 'true', 'equals', ''],
  ['isEmpty', 'true', 'between', ['', '']],
] as const)('keptOperand of %s %j for %s', (from, value, to, kept) => {
  expect(keptOperand(value, from, to)).toEqual(kept)
})

test('withOperator keeps the compared field', () => {
  const condition = { key: 'sum', operator: 'equals' as FilterOperator, value: '5' }
  expect(withOperator(condition, 'in')).toEqual({
    key: 'sum',
    operator: 'in',
    value: ['5'],
  })
})
