import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyAsText, readAny } from './any-value.ts'
import { addressesAsText, manyAsText, readAddresses, readMany } from './comma-list.ts'
import { type Comparison, withComparison } from './comparison.ts'
import { otherProblems, ownProblem, problemAt } from './form-problems.ts'
import { movedRow, newRow } from './new-rows.ts'
import { freeName, renamedPair, withoutPair } from './pairs.ts'
import { secondsOf, spanOf } from './spans.ts'

describe('any JSON as text', () => {
  test.each([
    ['50000', 50_000],
    ['-1.5', -1.5],
    ['true', true],
    ['null', null],
    ['Won', 'Won'],
    [' 5 apples', ' 5 apples'],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['"5"', '5'],
    ['"unfinished', '"unfinished'],
    ['{{trigger.data}}', '{{trigger.data}}'],
    ['{"a": [1, "{{now}}"]}', { a: [1, '{{now}}'] }],
    ['[]', []],
    ['', ''],
  ])('is parsed from %s', (text, value) => {
    expect(readAny(text)).toEqual({ value })
  })

  test('is a problem if incomplete', () => {
    expect(readAny('{"a": ').problem).toContain('not JSON yet')
  })

  test('survives a round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given))
        const isNumber = typeof value === 'number'
        fc.pre(!isNumber || /^-?\d{1,15}$/.test(String(value)))
        expect(readAny(anyAsText(value))).toEqual({ value })
      }),
    )
  })
})

test('recipients are a text or a list', () => {
  expect(readAddresses('ada@x.org')).toBe('ada@x.org')
  expect(readAddresses('ada@x.org, ')).toBe('ada@x.org')
  expect(readAddresses('ada@x.org, {{trigger.data.email}}')).toEqual(['ada@x.org', '{{trigger.data.email}}'])
  expect(readAddresses("{{trigger.data.emails | join ', '}}")).toBe("{{trigger.data.emails | join ', '}}")
  expect(addressesAsText(['a@x.org', 'b@x.org'])).toBe('a@x.org, b@x.org')
})

test('several values are a list or a template', () => {
  expect(readMany('Won, 5, {{now}}')).toEqual(['Won', 5, '{{now}}'])
  expect(readMany('{{steps.a.list}}')).toBe('{{steps.a.list}}')
  expect(readMany('')).toEqual([])
  expect(manyAsText(['Won', 5])).toBe('Won, 5')
})

describe('changing the operator', () => {
  const leaf: Comparison = { left: '{{a}}', operator: 'equals', right: 5 }
  test.each([
    ['isEmpty', leaf, { left: '{{a}}', operator: 'isEmpty' }],
    ['between', leaf, { left: '{{a}}', operator: 'between', right: [5, ''] }],
    ['in', leaf, { left: '{{a}}', operator: 'in', right: [5] }],
    ['lessThan', { ...leaf, right: [7, 8] }, { left: '{{a}}', operator: 'lessThan', right: 7 }],
    ['equals', { left: '{{a}}', operator: 'isEmpty' }, { left: '{{a}}', operator: 'equals', right: '' }],
  ] as const)('to %s keeps what fits of the operand', (operator, before, after) => {
    expect(withComparison(before as Comparison, operator)).toEqual(after)
  })
})

describe('problems', () => {
  const problems = [
    { path: 'steps[1].config.branches[0].when.left', code: 'required', message: 'is required: choose' },
    { path: 'steps[1].config.branches', code: 'minItems', message: 'must not be empty' },
    { path: 'steps[10].config.title', code: 'x', message: 'There is none' },
  ]
  test('are shown at their field and at containing fields', () => {
    expect(problemAt(problems, 'steps[1].config.branches[0].when')).toBe('It is required: choose')
    expect(problemAt(problems, 'steps[1].config.branches[0].name')).toBeUndefined()
    expect(problemAt(problems, 'steps[1]')).toBe('It is required: choose. It must not be empty')
    expect(ownProblem(problems, 'steps[1].config.branches')).toBe('It must not be empty')
  })
  test('are listed separately if no field shows them', () => {
    expect(otherProblems(problems, 'steps[1]', ['steps[1].config.branches'])).toEqual([])
    expect(otherProblems(problems, 'steps[10]', ['steps[10].key'])).toEqual([problems[2]])
  })
})

test.each([
  [0, 0, 'minutes'],
  [45, 45, 'seconds'],
  [90, 90, 'seconds'],
  [120, 2, 'minutes'],
  [7200, 2, 'hours'],
  [86_400, 1, 'days'],
] as const)('%i seconds are %i %s', (seconds, amount, unit) => {
  expect(spanOf(seconds)).toEqual({ amount, unit })
  expect(secondsOf({ amount, unit })).toBe(seconds)
})

test('renaming a pair keeps the order and refuses used names', () => {
  const pairs = { a: 1, b: 2 }
  expect(Object.entries(renamedPair(pairs, 'a', 'c'))).toEqual([
    ['c', 1],
    ['b', 2],
  ])
  expect(renamedPair(pairs, 'a', 'b')).toBe(pairs)
  expect(withoutPair(pairs, 'a')).toEqual({ b: 2 })
  expect(freeName(pairs, 'a')).toBe('a2')
  expect(freeName(pairs, 'z')).toBe('z')
})

test('new rows get an unused name, and rows move within their list', () => {
  expect(newRow('branches', [{ name: 'yes' }, { name: 'branch3' }])).toMatchObject({
    name: 'branch4',
    steps: [],
  })
  expect(movedRow(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(movedRow(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
})
