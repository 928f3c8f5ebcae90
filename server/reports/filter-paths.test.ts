// Filters of reports along references, without joins: their results, and which filters are rejected.
import { describe, expect, test } from 'vitest'
import type { ReportPreview } from '../../contract/report-administration.ts'
import type { ReportDefinition } from '../../contract/reports.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createRecords, makeReport, resultsOf, run } from './reports.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const owner = await org.member('owner')
const stranger = await service.org()

const [acme = '', globex = '', initech = ''] = await createRecords(org, 'companies', [
  { name: 'Acme', domain: 'acme.example', address: { city: 'London', country: 'GB' }, owner: owner.userId },
  { name: 'Globex', domain: 'globex.example', address: { city: 'Paris', country: 'FR' } },
  { name: 'Initech', domain: 'initech.example' },
])
const [ada = '', grace = ''] = await createRecords(org, 'people', [
  { name: { firstName: 'Ada', lastName: 'Lovelace' }, company: acme },
  { name: { firstName: 'Grace', lastName: 'Hopper' }, company: globex },
])
await createRecords(org, 'deals', [
  { name: 'One', amount: { amount: 10, currency: 'USD' }, company: acme, contact: ada },
  { name: 'Two', amount: { amount: 20, currency: 'USD' }, company: acme, contact: grace },
  { name: 'Three', amount: { amount: 40, currency: 'EUR' }, company: globex },
  { name: 'Four', amount: { amount: 80, currency: 'USD' }, company: initech, contact: ada },
  { name: 'Five', amount: { amount: 160, currency: 'USD' } },
])

type Filters = NonNullable<ReportDefinition['filters']>

const leaf = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const named = (filters: Filters, more: Partial<ReportDefinition> = {}) => ({
  source: { objectId: 'deals', alias: 'deal' },
  columns: [{ key: 'name', field: 'deal.name' }],
  filters,
  ...more,
})
const namesWhere = async (filters: Filters, more?: Partial<ReportDefinition>) =>
  (await resultsOf(service.ctx, org, named(filters, more))).rows.map(({ name }) => name).toSorted()

describe('filters along references', () => {
  test.each<[string, Filters, string[]]>([
    ['an attribute', leaf('deal.company.domain', 'equals', 'acme.example'), ['One', 'Two']],
    ['a part', leaf('deal.company.address.city', 'startsWith', 'par'), ['Three']],
    ['two references', leaf('deal.contact.company.name', 'equals', 'Acme'), ['Four', 'One']],
    ['a part of a name', leaf('deal.contact.name.lastName', 'equals', 'Hopper'), ['Two']],
    ['no referenced record', leaf('deal.company.name', 'isEmpty', true), ['Five']],
    ['no value in the referenced record', leaf('deal.company.address', 'isEmpty', true), ['Five', 'Four']],
    ['a negative operator', leaf('deal.company.name', 'notEquals', 'Acme'), ['Five', 'Four', 'Three']],
    ['a negation', { not: leaf('deal.company.name', 'in', ['Acme', 'Globex']) }, ['Five', 'Four']],
    [
      'a group',
      { or: [leaf('deal.company.name', 'equals', 'Globex'), leaf('deal.contact.name', 'contains', 'grace')] },
      ['Three', 'Two'],
    ],
    ['a member by email', leaf('deal.company.owner', 'equals', owner.email), ['One', 'Two']],
    ['the record itself', leaf('deal.company.id', 'equals', globex), ['Three']],
    [
      'relative days',
      leaf('deal.company.created_at', 'equals', { relative: 'last_7_days' }),
      ['Four', 'One', 'Three', 'Two'],
    ],
    [
      'days outside relative days',
      leaf('deal.company.created_at', 'notEquals', { relative: 'last_7_days' }),
      ['Five'],
    ],
    ['a record of another organization', leaf('deal.company.id', 'equals', stranger.id), []],
  ])('%s', async (_, filters, expected) => {
    expect(await namesWhere(filters)).toEqual(expected)
  })

  test('return the same sums as the same filter on joined records', async () => {
    const measures = [
      { key: 'deals', op: 'count' as const },
      { key: 'total', op: 'sum' as const, field: 'deal.amount' },
    ]
    const source = { objectId: 'deals', alias: 'deal' }
    const along = leaf('deal.company.address.country', 'in', ['GB', 'FR'])
    const joined = { ...along, field: 'company.address.country' }
    const [found, expected] = await Promise.all([
      resultsOf(service.ctx, org, { source, measures, filters: along }),
      resultsOf(service.ctx, org, {
        ...{ source, measures, filters: joined },
        joins: [{ alias: 'company', via: 'deal.company' }],
      }),
    ])
    expect(found.rows).toEqual(expected.rows)
    expect(found.rows.map(({ deals, total }) => [deals, total])).toEqual(
      expect.arrayContaining([
        [2, { amount: 30, currency: 'USD' }],
        [1, { amount: 40, currency: 'EUR' }],
      ]),
    )
  })

  test('can start at joined records, and do not match when a join found no record', async () => {
    const joins = [{ alias: 'contact', via: 'deal.contact' }]
    const filters = leaf('contact.company.name', 'equals', 'Acme')
    expect(await namesWhere(filters, { joins })).toEqual(['Four', 'One'])
    expect(await namesWhere({ not: filters }, { joins })).toEqual(['Five', 'Three', 'Two'])
  })

  test('of a saved report stop matching a record in the trash, and match after a restore', async () => {
    const report = await makeReport(org, { filters: leaf('deal.company.name', 'equals', 'Globex') })
    const counted = async () => {
      const { id } = await run(org, report.id)
      const { body } = await org.get<{ run: { results: { rows: { deals: number }[] } } }>(
        `/reports/${report.id}/runs/${id}`,
      )
      return body.run.results.rows[0]?.deals
    }
    const before = await counted()
    await org.delete(`/objects/companies/records/${globex}`)
    const inTrash = await counted()
    await org.post(`/objects/companies/trash/${globex}/restore`, {})
    expect([before, inTrash, await counted()]).toEqual([1, 0, 1])
  })
})

describe('paths along references that are rejected', () => {
  const problemsOf = async (filters: Filters, asking: Pick<typeof org, 'post'> = owner) =>
    (await asking.post<ReportPreview>('/reports/check', { definition: { name: 'R', ...named(filters) } }))
      .body.problems

  test.each<[string, Filters, string, string, RegExp]>([
    [
      'an unknown attribute',
      leaf('deal.company.domian', 'equals', 'x'),
      'filters.field',
      'unknown_attribute',
      /^companies has no attribute "domian": did you mean "domain"/,
    ],
    [
      'an unknown part',
      leaf('deal.company.address.town', 'equals', 'x'),
      'filters.field',
      'unknown_part',
      /^address has no part "town": .*city/,
    ],
    [
      'three references',
      leaf('deal.contact.company.owner.name', 'equals', 'x'),
      'filters.field',
      'unknown_part',
      /^owner is of type member, which has no parts: send only owner/,
    ],
    [
      'an operator of other types',
      { or: [leaf('deal.company.name', 'greaterThan', 'x')] },
      'filters.or[0].operator',
      'operator_not_defined',
      /name \(text\) has no operator "greaterThan"/,
    ],
    [
      'a value of other types',
      leaf('deal.company.created_at', 'equals', 'soon'),
      'filters.value',
      'wrong_operand',
      /^equals on created_at: must be a calendar day, such as/,
    ],
  ])('%s', async (_, filters, path, code, message) => {
    const problems = await problemsOf(filters)
    expect(problems).toEqual([{ path, code, message: expect.stringMatching(message) }])
    const saved = await org.post('/reports', { definition: { name: 'Refused', ...named(filters) } })
    expectError(saved, 'validation_error')
  })

  test('an unknown attribute without a suggestion, for keys that cannot read attributes', async () => {
    const writer = await org.keyWith(['reports:write'])
    const definition = { name: 'Writer', ...named(leaf('deal.company.domian', 'equals', 'x')) }
    const reply = await org.post('/reports', { definition }, { authorization: `Bearer ${writer}` })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: [
        {
          path: 'definition.filters.field',
          message: 'companies has no attribute "domian": send the slug of an attribute of companies',
        },
      ],
    })
  })

  test('an attribute that was turned off, when a saved report runs', async () => {
    const made = await org.post<{ id: string }>('/objects/companies/attributes', {
      name: 'Region',
      slug: 'region',
      type: 'text',
    })
    const report = await makeReport(org, { filters: leaf('deal.company.region', 'isEmpty', true) })
    const off = await org.patch(`/objects/companies/attributes/${made.body.id}/active`, { isActive: false })
    expect(off.status).toBe(200)
    const failed = await run(org, report.id)
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^filters\.field: companies has no attribute "region"/),
    })
  })

  test('in columns, which need a join', async () => {
    const definition = { ...named({}), name: 'R', filters: undefined }
    const columns = [{ key: 'name', field: 'deal.company.name' }]
    const { body } = await owner.post<ReportPreview>('/reports/check', {
      definition: { ...definition, columns },
    })
    expect(body.problems).toEqual([
      {
        path: 'columns[0].field',
        code: 'unknown_part',
        message:
          'company is a reference: join it, and name the attribute by the alias of the join; only filters follow references',
      },
    ])
  })
})
