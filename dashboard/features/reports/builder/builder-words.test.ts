import { describe, expect, test } from 'vitest'
import { DEALS, MODELS, objectsIn } from './builder.fixture.ts'
import type { Draft } from './builder-state.ts'
import { filterWords, groupWords, havingWords, measureWords } from './builder-words.ts'
import { allFields, fieldsAlong } from './report-fields.ts'

const draft: Draft = { ...DEALS, joins: [{ alias: 'company', via: 'deal.company' }] }
const objects = objectsIn(draft)
const { near, far } = fieldsAlong(objects, MODELS)
const known = { objects, fields: [...allFields(objects), ...near, ...far] }

test.each([
  [{ op: 'count' }, 'Number of deals'],
  [{ op: 'min', field: 'deal.closed' }, 'Earliest closed'],
  [{ op: 'countDistinct', field: 'deal.stage' }, 'Unique values of stage'],
  [{ op: 'count', field: 'company.id' }, 'Number of company records'],
  [{ op: 'sum', field: 'deal.amount' }, 'Sum of amount'],
  [{ op: 'countNotEmpty', field: 'company.name' }, 'Number with name of company'],
  [{ op: 'sum', field: 'deal.amount', label: 'Won' }, 'Won'],
  [{ op: 'sum', field: 'deal.missing' }, 'Sum of deal.missing'],
] as const)('the measure %j is described as %s', (measure, words) => {
  expect(measureWords(known, measure)).toBe(words)
})

test.each([
  [{ field: 'deal.closed', bucket: 'quarter' }, 'Closed (quarter)'],
  [{ field: 'deal.closed' }, 'Closed (day)'],
  [{ field: 'company.address.city' }, 'Address (city) of company'],
  [{ field: 'company.id' }, 'Company'],
] as const)('the group %j is described as %s', (group, words) => {
  expect(groupWords(known, group)).toBe(words)
})

describe('conditions', () => {
  test.each([
    [
      { field: 'deal.closed', operator: 'equals', value: { relative: 'last_30_days' } },
      'Closed is in the last 30 days',
    ],
    [{ field: 'deal.closed', operator: 'lessThan', value: { relative: 'today' } }, 'Closed is before today'],
    [
      { field: 'deal.closed', operator: 'lessThanOrEqual', value: { relative: 'month_to_date' } },
      'Closed is in or before this month so far',
    ],
    [{ field: 'deal.closed', operator: 'notEquals', value: { relative: 'today' } }, 'Closed is not today'],
    [{ field: 'company.name', operator: 'contains', value: 'x' }, 'Name of company contains x'],
    [{ field: 'deal.company.name', operator: 'contains', value: 'x' }, 'Company → Name contains x'],
    [
      { field: 'company.parent.address.city', operator: 'equals', value: 'x' },
      'Parent → Address (city) of company is x',
    ],
    [{ field: 'deal.company.parent.name', operator: 'equals', value: 'x' }, 'Company → Parent → Name is x'],
  ] as const)('%j is described as %s', (condition, words) => {
    const { name, verb, operand } = filterWords(known, condition, (_, id) => id)
    expect([name, verb, operand].join(' ')).toBe(words)
  })

  test('on measures show formatted numbers', () => {
    const condition = { key: 'won', operator: 'greaterThan', value: '10000' } as const
    expect(havingWords(condition, { name: 'Won', isDate: false })).toEqual({
      name: 'Won',
      verb: 'is more than',
      operand: '10,000',
    })
  })
})
