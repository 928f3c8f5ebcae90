import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { parseJson } from '../../base/json.ts'
import { evaluate } from './conditions.ts'

const holds = (left: unknown, operator: FilterOperator, right?: unknown) =>
  evaluate({ left, operator, right })
const money = (amount: unknown, currency = 'EUR') => ({ amount, currency })
const exact = parseJson('12345678901234567890.1')

describe('one comparison', () => {
  test.each<[unknown, FilterOperator, unknown, boolean]>([
    ['Won', 'equals', 'Won', true],
    ['Won', 'equals', 'won', false],
    ['Cafe\u0301', 'equals', 'Café', true],
    ['Cafe\u0301', 'contains', 'fé', true],
    ['Ada@x.org', 'equals', 'ada@x.org', false],
    [5, 'equals', '5.0', true],
    ['5', 'equals', '5.0', false],
    [exact, 'equals', '12345678901234567890.1', true],
    [exact, 'equals', '12345678901234567890.2', false],
    [0.1, 'equals', 1e-1, true],
    [5, 'equals', 'five', false],
    [true, 'equals', 'true', true],
    [money(1200), 'equals', 1200, true],
    [money(1200), 'equals', money('1200.00'), true],
    [null, 'equals', '', true],
    [[], 'equals', null, true],
    [null, 'equals', 0, false],
    [['vip', 'eu'], 'equals', 'eu', true],
    [['vip', 'eu'], 'equals', ['vip', 'eu'], true],
    [['vip', 'eu'], 'equals', ['eu', 'vip'], false],
    [{ a: 1, b: 'x' }, 'equals', { b: 'x', a: 1 }, true],
    [{ a: 1 }, 'equals', { a: 1, b: 2 }, false],
    [{ firstName: 'Ada', lastName: 'Lovelace' }, 'equals', 'Ada Lovelace', true],
    ['2026-11-20T10:00:00Z', 'equals', '2026-11-20T11:00:00+01:00', true],
    ['2026-11-20', 'equals', '2026-11-20T23:00:00Z', true],
    ['Won', 'notEquals', 'Lost', true],
    [null, 'notEquals', 'Lost', true],
    [['vip'], 'notEquals', 'vip', false],
    ['Acme Inc', 'contains', 'ACME', true],
    ['Acme', 'contains', '', false],
    [null, 'contains', 'x', false],
    [['vip customer', 'eu'], 'contains', 'VIP', true],
    ['Acme', 'notContains', 'x', true],
    [null, 'notContains', 'x', true],
    ['Acme', 'startsWith', 'ac', true],
    ['Acme', 'startsWith', 'me', false],
    ['Acme', 'endsWith', 'ME', true],
    [10, 'greaterThan', 9, true],
    ['10', 'greaterThan', 9, true],
    ['10', 'greaterThan', '9', false],
    [money(50_000.01), 'greaterThan', 50_000, true],
    [money(50_000), 'greaterThan', 50_000, false],
    [null, 'greaterThan', 0, false],
    [null, 'lessThan', 1, false],
    ['abc', 'greaterThan', 5, false],
    ['abc', 'lessThan', 5, false],
    [[1, 20], 'greaterThan', 10, true],
    ['2026-11-20', 'lessThan', '2026-11-21', true],
    ['2026-11-20T23:30:00-05:00', 'greaterThan', '2026-11-21T00:00:00Z', true],
    ['2026-11-20', 'greaterThanOrEqual', '2026-11-20T10:00:00Z', true],
    ['👍', 'greaterThan', '\uffee', true],
    ['b', 'lessThanOrEqual', 'b', true],
    ['', 'isEmpty', undefined, true],
    [[], 'isEmpty', undefined, true],
    [{}, 'isEmpty', undefined, true],
    [0, 'isEmpty', undefined, false],
    [false, 'isEmpty', undefined, false],
    [0, 'isNotEmpty', undefined, true],
    [true, 'isTrue', undefined, true],
    ['true', 'isTrue', undefined, true],
    [1, 'isTrue', undefined, false],
    [null, 'isFalse', undefined, true],
    [false, 'isFalse', undefined, true],
    [0, 'isFalse', undefined, false],
    [[false, true], 'isTrue', undefined, true],
    ['Won', 'in', ['Lost', 'Won'], true],
    ['Won', 'in', 'Won', true],
    ['Won', 'in', [], false],
    ['Won', 'notIn', ['Lost'], true],
    [5, 'between', [1, 5], true],
    [6, 'between', [1, 5], false],
    [5, 'between', [1], false],
    ['2026-11-20', 'between', ['2026-11-01', '2026-11-30'], true],
  ])('%j %s %j is %j', (left, operator, right, expected) => {
    expect(holds(left, operator, right)).toBe(expected)
  })
})

test('and and or combine conditions', () => {
  const yes = { left: 1, operator: 'equals', right: 1 } as const
  const no = { left: 1, operator: 'equals', right: 2 } as const
  expect(evaluate({ and: [yes, { or: [no, yes] }] })).toBe(true)
  expect(evaluate({ and: [yes, no] })).toBe(false)
  expect(evaluate({ or: [no, { and: [yes, no] }] })).toBe(false)
})

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(exact, money(1), '2026-11-20', '2026-11-20T10:00:00Z', '1e400', '9'.repeat(2000)),
)

test('property: every comparison is true or false, and a negated operator returns the opposite', () => {
  fc.assert(
    fc.property(value, value, fc.constantFrom(...SEARCH_OPERATORS), (left, right, operator) => {
      expect(typeof holds(left, operator, right)).toBe('boolean')
      expect(holds(left, 'notEquals', right)).toBe(!holds(left, 'equals', right))
      expect(holds(left, 'isNotEmpty')).toBe(!holds(left, 'isEmpty'))
    }),
    { numRuns: 3000 },
  )
})

test('property: equal values are neither less nor greater', () => {
  const scalar = fc.oneof(fc.double(), fc.string(), fc.constantFrom('2026-11-20', 5, '5'))
  fc.assert(
    fc.property(scalar, scalar, (left, right) => {
      const said = [holds(left, 'lessThan', right), holds(left, 'greaterThan', right)]
      if (left !== '' && holds(left, 'equals', right)) expect(said).toEqual([false, false])
      else expect(said.filter(Boolean).length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 3000 },
  )
})
