import { describe, expect, test } from 'vitest'
import { WORKFLOW_FUNCTIONS } from '../../../contract/workflow-functions.ts'
import { parseJson } from '../../base/json.ts'
import { begin } from './advance.ts'
import { FACTS, NOW, workflow } from './run.fixture.ts'
import { scopeOf } from './scope.ts'
import { TemplateError } from './template-error.ts'
import { resolve } from './templates.ts'

const deal = (id: string, title: string, amount: number, currency = 'EUR') => ({
  id,
  data: { title, amount: { amount, currency } },
})
const values = {
  'steps.deals': { records: [deal('a', 'Small', 200), deal('b', 'Large', 50_000.5)] },
  'steps.mixed': { records: [deal('a', 'Small', 1), deal('b', 'Large', 1, 'USD')] },
  'vars.long': 'ab'.repeat(300_000),
  'vars.exact': parseJson('123456789012345678901234567890'),
  'vars.numbers': [1, 0.1, 0.2, 'no number', null],
  'vars.emoji': '👍👍👍',
}
const scope = scopeOf(workflow([]), FACTS, { ...begin(), values }, NOW)
const value = (template: string) => resolve(template, scope)

test.each(Object.entries(WORKFLOW_FUNCTIONS))('%s returns its example result', (_, { example, yields }) => {
  expect(value(example)).toEqual(yields)
})

describe('numbers', () => {
  test.each([
    ['{{0.1 | plus 0.2}}', 0.3],
    ['{{vars.exact | plus 1 | text}}', '123456789012345678901234567891'],
    ['{{vars.exact | times vars.exact | text}}', ''],
    ['{{1 | divide 3}}', 0.333333333333333],
    ['{{2 | divide 3 | times 3 | round 6}}', 2],
    ['{{5 | divide 0}}', null],
    ["{{'abc' | plus 1}}", null],
    ["{{'12.5' | plus 1}}", 13.5],
    ['{{trigger.data.amount | times 2}}', { amount: 2401, currency: 'EUR' }],
    ['{{trigger.data.amount | minus trigger.data.amount}}', { amount: 0, currency: 'EUR' }],
    ['{{2.5 | round}}', 3],
    ['{{-2.5 | round}}', -3],
    ['{{0.4 | round}}', 0],
    ['{{1234567.891 | number}}', '1,234,567.891'],
    ['{{-1234.5 | number 0}}', '-1,235'],
    ['{{-0.4 | number 0}}', '0'],
    ["{{1234 | money 'JPY'}}", '¥1,234'],
    ["{{1234.5 | money 'not a code'}}", '1,234.5'],
    ['{{vars.numbers | sum}}', 1.3],
    ["{{steps.deals.nothing | sum 'data.amount'}}", 0],
    ["{{steps.mixed.records | sum 'data.amount'}}", null],
  ])('%s is %j', (template, expected) => expect(value(template)).toEqual(expected))
})

describe('dates', () => {
  test.each([
    ["{{'2026-11-20' | date 'DD.MM.YY'}}", '20.11.26'],
    ["{{'2026-11-20' | date 'D MMM YYYY' 'Pacific/Kiritimati'}}", '20 Nov 2026'],
    ["{{'2026-07-01T22:30:00Z' | date 'YYYY-MM-DD h:mm A'}}", '2026-07-02 12:30 AM'],
    ["{{'2026-07-01T22:30:00Z' | date 'YYYY-MM-DD HH:mm' 'America/New_York'}}", '2026-07-01 18:30'],
    ["{{'2026-02-30' | date}}", null],
    ["{{'soon' | date}}", null],
    ['{{now | day}}', '2026-11-20'],
    ["{{'2026-11-20' | addDays -20}}", '2026-10-31'],
    ["{{'9999-12-31' | addDays 1}}", null],
    ["{{'2024-01-31' | addMonths 1}}", '2024-02-29'],
    ["{{'2026-01-15' | addMonths -13}}", '2024-12-15'],
    ["{{'2026-01-15' | addMonths 999999999}}", null],
    ["{{'2026-01-15' | addDays 'x'}}", null],
    // Clocks in Berlin go back on 25 October 2026: the next day is 25 hours later.
    ["{{'2026-10-24T10:00:00Z' | addDays 1}}", '2026-10-25T11:00:00.000Z'],
    ["{{'2026-10-24T10:00:00Z' | addHours 24}}", '2026-10-25T10:00:00.000Z'],
    ["{{'2026-11-22' | startOfWeek}}", '2026-11-16'],
  ])('%s is %j', (template, expected) => expect(value(template)).toEqual(expected))
})

describe('texts and lists', () => {
  test.each([
    ['{{vars.emoji | truncate 2}}', '👍…'],
    ['{{vars.emoji | length}}', 3],
    ["{{vars.emoji | split '' | last}}", '👍'],
    ['{{vars.emoji | slice 1 2}}', '👍'],
    ["{{'' | upper}}", null],
    ['{{vars.nothing | upper}}', null],
    ["{{'a' | replace '' 'x'}}", 'a'],
    ['{{trigger.data.tags | first}}', 'vip'],
    ['{{trigger.data.name | first}}', { firstName: 'Ada', lastName: 'Lovelace' }],
    ["{{vars.nothing | default 'x'}}", 'x'],
    ['{{0 | default 5}}', 0],
    ['{{false | default 5}}', false],
    ["{{steps.deals.records | pluck 'data.amount.amount'}}", [200, 50_000.5]],
    ["{{steps.deals.records | pluck 'data.__proto__'}}", []],
  ])('%s is %j', (template, expected) => expect(value(template)).toEqual(expected))

  test.each([
    "{{vars.long | replace 'a' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}",
    "{{vars.long | split 'a' | join 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}",
    '{{vars.long}} {{vars.long}}',
    Array(2).fill('{{vars.long}}'),
  ])('too long results are rejected', (config) => {
    expect(() => resolve(config, scope)).toThrow(TemplateError)
  })

  test('functions that process too much data are rejected', () => {
    expect(() => resolve(Array(100).fill('{{vars.long | length}}'), scope)).toThrow('process too much data')
  })
})
