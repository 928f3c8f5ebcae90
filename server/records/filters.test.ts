import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  FILTER_OPERATORS,
  type FilterOperator,
  OPERATORS,
  SEARCH_OPERATORS,
} from '../../contract/operators.ts'
import { type IndexedAs, indexEmptyObject } from '../query-engine/indexed.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import {
  buildEveryType,
  dataOf,
  type EveryType,
  randomValue,
  TEST_ATTRIBUTES,
  type TestAttribute,
} from './every-type.fixture.ts'
import { matchesModel } from './filter-model.fixture.ts'

const service = await buildTestService()
const RECORDS = 150
const UNARY = ['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse']

let org: Org
let object: EveryType
const stored = new Map<string, Record<string, unknown>>()

async function fill(as?: IndexedAs): Promise<void> {
  org = await service.org()
  object = await buildEveryType(org, async (id) => {
    if (as) await indexEmptyObject(service.ctx.db, id, as)
  })
  stored.clear()
  for (const id of object.targets) stored.set(id, {})
  const rows = fc.sample(dataOf(object.targets), { numRuns: RECORDS, seed: 7 })
  for (let from = 0; from < rows.length; from += 100) {
    const batch = rows.slice(from, from + 100)
    const reply = await org.post<{ failed: unknown[]; results: { id: string }[] }>(
      '/objects/things/records/bulk',
      {
        records: batch.map((data) => ({ data })),
      },
    )
    expect(reply.body.failed).toEqual([])
    for (const [index, { id }] of reply.body.results.entries()) stored.set(id, batch[index] ?? {})
  }
}

interface ListBody {
  records: { id: string; data: unknown }[]
  pagination: { total: number; nextCursor?: string }
}

async function allIds(search: Record<string, unknown>): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = []
  let cursor: string | undefined
  for (;;) {
    const { status, body } = await org.post<ListBody>('/objects/things/records/search', {
      ...search,
      limit: 100,
      ...(cursor && { cursor }),
    })
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...body.records.map(({ id }) => id))
    cursor = body.pagination.nextCursor
    if (!cursor) return { ids, total: body.pagination.total }
  }
}

const operandText = (type: string, value: unknown): string => {
  if (type === 'name') return Object.values(value as Record<string, string>).join(' ')
  if (type === 'address') return Object.values(value as Record<string, string>).join(', ')
  if (type === 'currency') return String((value as { amount: number }).amount)
  return String(value)
}

/** Operands that are values of records, pieces of them for the searching operators, and some that no record has. */
const PHONE_PARTS = [
  '555',
  '(555) 867',
  '1 555',
  '020 7946',
  '020 7946 0958',
  '20 7946',
  '+44 (0)20',
  '+44',
  '0958',
  '5309',
  '0',
]

function operandOf({ type }: TestAttribute, operator: FilterOperator): fc.Arbitrary<string | string[]> {
  if (UNARY.includes(operator)) return fc.constant('true')
  const single =
    type === 'list'
      ? fc.constantFrom('a', 'B', 'ac', 'x')
      : randomValue(type, object.targets).map((value) => operandText(type, value))
  if (operator === 'between') return fc.array(single, { minLength: 2, maxLength: 2 })
  if (operator === 'in' || operator === 'notIn') return fc.array(single, { minLength: 1, maxLength: 4 })
  const isSearch = ['contains', 'notContains', 'startsWith', 'endsWith'].includes(operator)
  if (type === 'phone_number' && isSearch) return fc.oneof(single, fc.constantFrom(...PHONE_PARTS))
  if (type !== 'list' && isSearch)
    return fc.tuple(single, fc.nat(3), fc.boolean()).map(([text, cut, up]) => {
      const piece = [...text].slice(cut % [...text].length).join('')
      return up ? piece.toUpperCase() : piece
    })
  return single
}

const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'indexed, texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'indexed, texts searched', as: { texts: 'presence', keepsMissing: true } },
]

describe.each(STORES)('every operator on every type it is defined for: $name', ({ as }) => {
  beforeAll(() => fill(as))

  const cases = TEST_ATTRIBUTES.flatMap((attribute) =>
    OPERATORS[attribute.type].map((operator) => ({ attribute, operator })),
  )

  test.each(cases)(
    '$attribute.slug $operator matches what plain JavaScript says',
    async ({ attribute, operator }) => {
      const operands = fc.sample(operandOf(attribute, operator), {
        numRuns: UNARY.includes(operator) ? 1 : as ? 3 : 6,
        seed: 11,
      })
      for (const operand of operands) {
        const { ids, total } = await allIds({
          filters: [{ attributeSlug: attribute.slug, operator, value: operand }],
        })
        // Phone operands are compared as E.164, whole or by digits: the model is given that form.
        const told = attribute.type === 'phone_number' ? phoneOperand(operator, operand) : operand
        const model = { type: attribute.type, isList: attribute.isList, operator, operand: told }
        const expected = [...stored]
          .filter(([, data]) => matchesModel(model, data[attribute.slug]))
          .map(([id]) => id)
        expect(ids.toSorted(), JSON.stringify(operand)).toEqual(expected.toSorted())
        expect(total).toBe(expected.length)
      }
    },
  )
})

function phoneOperand(operator: FilterOperator, operand: string | string[]): string | string[] {
  const digits = (text: string) => text.replaceAll(/\D/g, '')
  if (['contains', 'notContains', 'startsWith', 'endsWith'].includes(operator))
    return String(operand).startsWith('+')
      ? `+${digits(String(operand).replace('(0)', ''))}`
      : digits(String(operand))
  const whole = (text: string) => (digits(text).length === 10 ? `+1${digits(text)}` : `+${digits(text)}`)
  return Array.isArray(operand) ? operand.map(whole) : whole(operand)
}

describe.each(STORES)('combinations: $name', ({ as }) => {
  beforeAll(() => fill(as))

  test('the query string knows the same operators, and combines with AND', async () => {
    const query =
      'filter[a_number][greaterThan]=0&filter[a_number][lessThan]=100&filter[a_checkbox][isTrue]=true'
    const { body } = await org.get<ListBody>(`/objects/things/records?limit=100&${query}`)
    const expected = [...stored].filter(
      ([, { a_number: n, a_checkbox: c }]) => typeof n === 'number' && n > 0 && n < 100 && c === true,
    )
    expect(body.pagination.total).toBe(expected.length)
    expect(expected.length).toBeGreaterThan(0)
    expect(body.records.map(({ id }) => id).sort()).toEqual(expected.map(([id]) => id).sort())
  })

  test('trees of and/or', async () => {
    const leaf = (attributeSlug: string, operator: string, value: unknown) => ({
      attributeSlug,
      operator,
      value,
    })
    const filter = {
      or: [
        { and: [leaf('a_checkbox', 'isTrue', 'true'), leaf('a_select', 'in', ['Won', 'Lead'])] },
        {
          and: [
            leaf('a_number', 'between', [-5, 0]),
            { or: [leaf('a_text', 'isEmpty', 'true'), leaf('a_email', 'isEmpty', 'true')] },
          ],
        },
      ],
    }
    const { ids } = await allIds({ filter })
    const expected = [...stored].filter(
      ([, { a_checkbox: c, a_select: s, a_number: n, a_text: t, a_email: e }]) =>
        (c === true && (s === 'Won' || s === 'Lead')) ||
        (typeof n === 'number' && n >= -5 && n <= 0 && (t === undefined || e === undefined)),
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(ids.sort()).toEqual(expected.map(([id]) => id).sort())
  })

  const deep = (depth: number): unknown =>
    depth === 0 ? { attributeSlug: 'a_text', operator: 'isEmpty', value: 'true' } : { and: [deep(depth - 1)] }

  test.each([
    [
      'an unknown attribute',
      { filters: [{ attributeSlug: 'nope', operator: 'equals', value: 'x' }] },
      'unknown_attribute',
    ],
    [
      'an unknown operator',
      { filters: [{ attributeSlug: 'a_text', operator: 'like', value: 'x' }] },
      'unknown_operator',
    ],
    [
      'an operator of other types',
      { filters: [{ attributeSlug: 'a_select', operator: 'greaterThan', value: 'x' }] },
      'operator_not_defined',
    ],
    [
      'a number that is none',
      { filters: [{ attributeSlug: 'a_number', operator: 'equals', value: 'x' }] },
      'wrong_operand',
    ],
    [
      'a date that is none',
      { filters: [{ attributeSlug: 'a_date', operator: 'lessThan', value: '2025-02-30' }] },
      'wrong_operand',
    ],
    [
      'isEmpty with another operand',
      { filters: [{ attributeSlug: 'a_text', operator: 'isEmpty', value: 'false' }] },
      'wrong_operand',
    ],
    [
      'between with one value',
      { filters: [{ attributeSlug: 'a_number', operator: 'between', value: ['1'] }] },
      'wrong_operand',
    ],
    [
      'U+0000',
      { filters: [{ attributeSlug: 'a_text', operator: 'equals', value: 'a\0b' }] },
      'wrong_operand',
    ],
    [
      'twenty-one filters',
      { filters: Array(21).fill({ attributeSlug: 'a_text', operator: 'isEmpty', value: 'true' }) },
      'too_many_filters',
    ],
    ['an empty group', { filter: { and: [] } }, 'invalid_group'],
    ['a tree too deep', { filter: deep(6) }, 'too_deep'],
  ])('%s is refused by name', async (_, search, code) => {
    const reply = await org.post('/objects/things/records/search', search)
    expectError(reply, 'invalid_filter')
    expect(reply.body['details']).toMatchObject({ errors: [{ code }] })
  })

  test('a filter of another shape is refused with the code of filters', async () => {
    const url = '/objects/things/records/search'
    for (const search of [
      { filters: {} },
      { filters: [{ attributeSlug: 'a_text' }] },
      { filters: [{ attributeSlug: 'a_text', operator: 'equals', value: 'x', also: 1 }] },
      { filter: [] },
    ])
      expectError(await org.post(url, search), 'invalid_filter')
    expectError(await org.post(url, { filters: {}, limit: 0 }), 'validation_error')
  })

  test('a tree of depth 5 is taken', async () => {
    expect((await org.post('/objects/things/records/search', { filter: deep(5) })).status).toBe(200)
  })

  test('in, notIn and between are search’s alone', async () => {
    for (const operator of SEARCH_OPERATORS.filter((one) => !FILTER_OPERATORS.some((known) => known === one)))
      expectError(await org.get(`/objects/things/records?filter[a_number][${operator}]=1`), 'invalid_filter')
  })

  test('a misspelt parameter is refused, not ignored', async () => {
    expectError(await org.get('/objects/things/records?filters[a_text][equals]=x'), 'invalid_parameter')
    expectError(await org.get('/objects/things/records?filter[a_text]=x'), 'invalid_parameter')
    expectError(await org.get('/objects/things/records?limit=101'), 'invalid_parameter')
  })
})
