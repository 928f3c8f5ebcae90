import { expect, test } from 'vitest'
import { parseJson } from '../../base/json.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { TEST_ATTRIBUTES } from '../every-type.fixture.ts'
import { allFound, fillEveryType } from './filled.fixture.ts'
import { matchesFilter } from './matches.ts'

const attributes = new Map(TEST_ATTRIBUTES.map((attribute) => [attribute.slug, attribute]))
const locale = { country: 'US', currency: 'USD' }

test('a tree of and/or matches the same records in memory as in the service', async () => {
  const { org, stored } = await fillEveryType(await sharedTestService(), { records: 100 })

  const leaf = (attributeSlug: string, operator: string, value: unknown) => ({
    attributeSlug,
    operator,
    value,
  })
  const filter = {
    or: [
      { and: [leaf('a_checkbox', 'isTrue', true), leaf('a_select', 'in', ['Won', 'Lead'])] },
      { and: [leaf('a_number', 'between', [-5, 0]), leaf('many_text', 'isEmpty', 'true')] },
    ],
  }
  const matched = [...stored].filter(([, data]) => matchesFilter(filter, { data, attributes, locale }))
  const { ids } = await allFound(org, { filter })
  expect(matched.length).toBeGreaterThan(0)
  expect(matched.map(([id]) => id).toSorted()).toEqual(ids.toSorted())
})

test.each([
  ['a missing attribute', { attributeSlug: 'missing', operator: 'isEmpty', value: 'true' }],
  ['a missing attribute, negated', { attributeSlug: 'missing', operator: 'notEquals', value: 'x' }],
  ['an operand that is no number', { attributeSlug: 'a_number', operator: 'notEquals', value: 'x' }],
  ['an operator that does not exist', { attributeSlug: 'a_number', operator: 'like', value: 'x' }],
  ['no tree', null],
  ['a negated missing attribute', { not: { attributeSlug: 'missing', operator: 'isEmpty', value: 'true' } }],
  [
    'the negation of a missing attribute or a value that does not match',
    {
      not: {
        or: [
          { attributeSlug: 'missing', operator: 'equals', value: 'x' },
          { attributeSlug: 'a_number', operator: 'equals', value: 2 },
        ],
      },
    },
  ],
])('%s matches no record', (_, filter) => {
  expect(matchesFilter(filter, { data: { a_number: 1 }, attributes, locale })).toBe(false)
})

test('numbers are compared exactly, to the last digit', () => {
  const data = parseJson('{"a_number": 12345678901234567890.1}') as Record<string, unknown>
  const at = (operator: string, value: string) =>
    matchesFilter({ attributeSlug: 'a_number', operator, value }, { data, attributes, locale })
  expect(at('equals', '12345678901234567890.1')).toBe(true)
  expect(at('equals', '12345678901234567890.2')).toBe(false)
  expect(at('lessThan', '12345678901234567890.2')).toBe(true)
})
