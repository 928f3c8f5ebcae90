import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { OPERATORS } from '../../../contract/operators.ts'
import { parseJson } from '../../json.ts'
import {
  buildEveryType,
  dataOf,
  type EveryType,
  randomValue,
  TEST_ATTRIBUTES,
  type TestAttribute,
} from '../../records/every-type.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { matchesFilter } from './matches-filter.ts'
import { textOf } from './values.ts'

const service = await buildTestService()
const attributes = new Map(TEST_ATTRIBUTES.map((attribute) => [attribute.slug, attribute]))
const locale = { country: 'US', currency: 'USD' }
const RECORDS = 100

let org: Org
let object: EveryType
const stored = new Map<string, Record<string, unknown>>()

beforeAll(async () => {
  org = await service.org()
  object = await buildEveryType(org)
  for (const id of object.targets) stored.set(id, {})
  const rows = fc.sample(dataOf(object.targets), { numRuns: RECORDS, seed: 21 })
  const { body } = await org.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
    records: rows.map((data) => ({ data })),
  })
  for (const [index, { id }] of body.results.entries()) stored.set(id, rows[index] ?? {})
})

/** The ids that the service finds with SQL. */
async function found(filter: unknown): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { body, status } = await org.post<{
      records: { id: string }[]
      pagination: { nextCursor?: string }
    }>('/objects/things/records/search', { filter, limit: 100, ...(cursor && { cursor }) })
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...body.records.map(({ id }) => id))
    cursor = body.pagination.nextCursor
  } while (cursor)
  return ids.sort()
}

const matched = (filter: unknown) =>
  [...stored].filter(([, data]) => matchesFilter(filter, { data, attributes, locale })).map(([id]) => id)

const UNARY = new Set(['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse'])

/** Values of records, and pieces of them. */
function operandOf({ type }: TestAttribute, operator: string): fc.Arbitrary<unknown> {
  if (UNARY.has(operator)) return fc.constant('true')
  const whole =
    type === 'list'
      ? fc.constantFrom('a', 'B', 'ac')
      : randomValue(type, object.targets).map((value) =>
          type === 'currency' ? String((value as { amount: number }).amount) : textOf(value),
        )
  if (operator === 'between') return fc.array(whole, { minLength: 2, maxLength: 2 })
  if (operator === 'in' || operator === 'notIn') return fc.array(whole, { minLength: 1, maxLength: 3 })
  if (type === 'list') return whole
  if (!['contains', 'notContains', 'startsWith', 'endsWith'].includes(operator)) return whole
  if (type === 'phone_number')
    return fc.oneof(
      whole,
      fc.constantFrom('555', '(555) 867', '020 7946', '020 7946 0958', '+44 (0)20', '0958'),
    )
  return fc
    .tuple(whole, fc.nat(3), fc.boolean())
    .map(([text, cut, up]) => (up ? text.toUpperCase() : text.slice(0, cut + 1).toWellFormed()))
}

describe('finds what the service finds', () => {
  const cases = TEST_ATTRIBUTES.flatMap((attribute) =>
    OPERATORS[attribute.type].map((operator) => ({ attribute, operator })),
  )

  test.each(cases)('$attribute.slug $operator', async ({ attribute, operator }) => {
    for (const value of fc.sample(operandOf(attribute, operator), { numRuns: 4, seed: 5 })) {
      const filter = { attributeSlug: attribute.slug, operator, value }
      expect(matched(filter).sort(), JSON.stringify(filter)).toEqual(await found(filter))
    }
  })

  test('trees of and/or', async () => {
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
    expect(matched(filter).length).toBeGreaterThan(0)
    expect(matched(filter).sort()).toEqual(await found(filter))
  })
})

test.each([
  ['an attribute that is gone', { attributeSlug: 'gone', operator: 'isEmpty', value: 'true' }],
  ['one that is gone, negated', { attributeSlug: 'gone', operator: 'notEquals', value: 'x' }],
  ['an operand that is no number', { attributeSlug: 'a_number', operator: 'notEquals', value: 'x' }],
  ['an operator that there is not', { attributeSlug: 'a_number', operator: 'like', value: 'x' }],
  ['no tree', null],
])('%s: nothing is found', (_, filter) => {
  expect(matchesFilter(filter, { data: { a_number: 1 }, attributes, locale })).toBe(false)
})

test('numbers are compared digit for digit', () => {
  const data = parseJson('{"a_number": 12345678901234567890.1}') as Record<string, unknown>
  const at = (operator: string, value: string) =>
    matchesFilter({ attributeSlug: 'a_number', operator, value }, { data, attributes, locale })
  expect(at('equals', '12345678901234567890.1')).toBe(true)
  expect(at('equals', '12345678901234567890.2')).toBe(false)
  expect(at('lessThan', '12345678901234567890.2')).toBe(true)
})
