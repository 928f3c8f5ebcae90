import { describe, expect, test } from 'vitest'
import { counted, formatCount, nounFor } from './counted.ts'
import { dateFormat, listFormat, numberFormat, relativeFormat } from './language.ts'

const at = new Date('2026-11-25T14:30:00Z')

describe('numbers, dates and lists are English', () => {
  test.each([
    ['a number', numberFormat().format(8744.5), '8,744.5'],
    ['an amount', numberFormat({ style: 'currency', currency: 'EUR' }).format(1234), '€1,234.00'],
    ['a date', dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(at), 'Nov 25, 2026'],
    ['a list', listFormat().format(['a', 'b', 'c']), 'a, b, and c'],
    ['a distance', relativeFormat({ numeric: 'auto' }).format(-1, 'day'), 'yesterday'],
  ])('%s', (_, text, expected) => expect(text).toBe(expected))
})

describe('a number of things', () => {
  test.each([
    [counted(0, 'record'), '0 records'],
    [counted(1, 'record'), '1 record'],
    [counted(8744, 'record'), '8,744 records'],
    [counted(1, 'activity', 'activities'), '1 activity'],
    [counted(2, 'activity', 'activities'), '2 activities'],
    [nounFor(1, 'deal'), 'deal'],
    [formatCount(1000), '1,000'],
  ])('%s', (text, expected) => expect(text).toBe(expected))
})
