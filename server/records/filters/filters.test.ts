import { beforeAll, describe, expect, test } from 'vitest'
import { FILTER_OPERATORS, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import type { RecordList } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { allFound, type Filled, fillEveryType, STORES } from './filled.fixture.ts'

const service = await sharedTestService()

describe.each(STORES)('combinations: $name', ({ as }) => {
  let org: Org
  let stored: Filled['stored']

  beforeAll(async () => {
    const filled = await fillEveryType(service, { as, records: 150 })
    org = filled.org
    stored = filled.stored
  })

  test('the query string combines filters with AND', async () => {
    const query =
      'filter[a_number][greaterThan]=0&filter[a_number][lessThan]=100&filter[a_checkbox][isTrue]=true'
    const { body } = await org.get<RecordList>(`/objects/things/records?limit=100&${query}`)
    const expected = [...stored].filter(
      ([, { a_number: n, a_checkbox: c }]) => typeof n === 'number' && n > 0 && n < 100 && c === true,
    )
    expect(body.pagination.total).toBe(expected.length)
    expect(expected.length).toBeGreaterThan(0)
    expect(body.records.map(({ id }) => id).sort()).toEqual(expected.map(([id]) => id).sort())
  })

  test('a tree of and/or finds its matches', async () => {
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
    const { ids } = await allFound(org, { filter })
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
      'an operator of another type',
      { filters: [{ attributeSlug: 'a_select', operator: 'greaterThan', value: 'x' }] },
      'operator_not_defined',
    ],
    [
      'a text that is not a number',
      { filters: [{ attributeSlug: 'a_number', operator: 'equals', value: 'x' }] },
      'wrong_operand',
    ],
    [
      'a date that does not exist',
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
    [
      'a part that the type does not have',
      { filters: [{ attributeSlug: 'a_address.town', operator: 'equals', value: 'x' }] },
      'unknown_part',
    ],
    [
      'a part of a type without parts',
      { filters: [{ attributeSlug: 'a_text.city', operator: 'equals', value: 'x' }] },
      'unknown_part',
    ],
    [
      'an operator that the part does not have',
      { filters: [{ attributeSlug: 'a_address.city', operator: 'greaterThan', value: 'x' }] },
      'operator_not_defined',
    ],
    [
      'an attribute that the object of a reference does not have',
      { filters: [{ attributeSlug: 'a_reference.nope', operator: 'equals', value: 'x' }] },
      'unknown_attribute',
    ],
    [
      'three references',
      { filter: { attributeSlug: `${'a_reference.'.repeat(3)}a_text`, operator: 'equals', value: 'x' } },
      'too_deep',
    ],
    [
      'an attribute of a member',
      { filters: [{ attributeSlug: 'a_member.email', operator: 'equals', value: 'x' }] },
      'unknown_part',
    ],
    [
      'a value that the attribute of a reference does not take',
      { filters: [{ attributeSlug: 'a_reference.a_number', operator: 'notEquals', value: 'x' }] },
      'wrong_operand',
    ],
    ['a tree too deep', { filter: deep(6) }, 'too_deep'],
    ['a negation too deep', { filter: { not: deep(5) } }, 'too_deep'],
    ['a negation of nothing', { filter: { not: {} } }, 'unknown_attribute'],
    ['a negation of a list', { filter: { not: [deep(0)] } }, 'invalid_type'],
    ['a negation next to a group', { filter: { not: deep(0), and: [deep(0)] } }, 'unknown_field'],
  ])('%s is rejected with its error code', async (_, search, code) => {
    const reply = await org.post('/objects/things/records/search', search)
    expectError(reply, 'invalid_filter')
    expect(reply.body['details']).toMatchObject({ errors: [{ code }] })
  })

  test('a filter of the wrong shape is rejected as invalid_filter', async () => {
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

  test('a tree of depth 5 is accepted', async () => {
    expect((await org.post('/objects/things/records/search', { filter: deep(5) })).status).toBe(200)
  })

  test('only search accepts in, notIn and between', async () => {
    for (const operator of SEARCH_OPERATORS.filter((one) => !FILTER_OPERATORS.some((known) => known === one)))
      expectError(await org.get(`/objects/things/records?filter[a_number][${operator}]=1`), 'invalid_filter')
  })

  test('a misspelt parameter is rejected, not ignored', async () => {
    expectError(await org.get('/objects/things/records?filters[a_text][equals]=x'), 'invalid_parameter')
    expectError(await org.get('/objects/things/records?filter[a_text]=x'), 'invalid_parameter')
    expectError(await org.get('/objects/things/records?limit=101'), 'invalid_parameter')
  })
})

test('filters along a reference work in all requests, and follow its record into the trash and back', async () => {
  const org = await service.org()
  const make = async (object: string, data: object) =>
    (await org.post<{ id: string }>(`/objects/${object}/records`, { data })).body.id
  const owner = await org.member('owner')
  const company = await make('companies', { name: 'Acme', owner: owner.userId })
  const deal = await make('deals', { name: 'Big', company, amount: 5 })
  const other = await make('deals', { name: 'Small', amount: 7 })
  const path = '/objects/deals/records'
  const filter = { attributeSlug: 'company.name', operator: 'equals', value: 'Acme' }
  const idsOf = async (tree: object) =>
    (await org.post<RecordList>(`${path}/search`, { filter: tree })).body.records
      .map(({ id }) => id)
      .toSorted()
  const listed = async () =>
    (await org.get<RecordList>(`${path}?filter[company.name][equals]=Acme`)).body.pagination.total

  expect([await idsOf(filter), await idsOf({ not: filter }), await listed()]).toEqual([[deal], [other], 1])
  const owned = { attributeSlug: 'company.owner', operator: 'in', value: [owner.email] }
  const created = { attributeSlug: 'company.created_at', operator: 'isNotEmpty', value: true }
  expect([await idsOf(owned), await idsOf(created)]).toEqual([[deal], [deal]])
  const { body: ids } = await org.post(`${path}/ids`, { filter })
  const { body: groups } = await org.post(`${path}/groups`, { by: 'stage', filter })
  const { body: sums } = await org.post(`${path}/summaries`, {
    summaries: [{ attributeSlug: 'amount', summary: 'filled' }],
    filter,
  })
  expect({ ids, groups, sums }).toMatchObject({ ids: { ids: [deal] }, groups: {}, sums: { count: 1 } })
  const view = await owner.post('/objects/deals/views', {
    name: 'Of Acme',
    state: { version: 1, columns: [], filter },
  })
  expect(view.status).toBe(201)
  const { body: explained } = await org.post(`${path}/search/explain`, { filter: { not: filter } })
  expect(explained).toMatchObject({ filters: [{ attributeSlug: 'company.name', operator: 'equals' }] })

  await org.delete(`/objects/companies/records/${company}`)
  expect([await idsOf(filter), await idsOf({ not: filter })]).toEqual([[], [deal, other].toSorted()])
  await org.post(`/objects/companies/trash/${company}/restore`, {})
  expect(await idsOf(filter)).toEqual([deal])
})
