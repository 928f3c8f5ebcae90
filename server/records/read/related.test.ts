import { describe, expect, test } from 'vitest'
import { bodyOf, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

type List = {
  records: { id: string; data: object }[]
  pagination: { total: number; nextCursor: string | null }
}

const make = async (object: string, data: object) =>
  (await org.post<{ id: string }>(`/objects/${object}/records`, { data })).body.id

const org = await service.org()
const companies = await org.get<{ id: string }>('/objects/companies')
const config = { allowed_object_id: companies.body.id }
await org.post('/objects/people/attributes', { name: 'Former company', type: 'reference', config })
const company = await make('companies', { name: 'Acme' })
const people = [
  await make('people', { name: 'Ada', company }),
  await make('people', { name: 'Grace', former_company: company }),
  await make('people', { name: 'Charles', company: await make('companies', { name: 'Initech' }) }),
]
const deal = await make('deals', { name: 'Engine', company })

const related = (rest: string) => org.get<List>(`/objects/companies/records/${company}/related/${rest}`)
const idsOf = ({ records }: List) => records.map(({ id }) => id)

describe('GET …/records/:recordId/related/:relatedObjectId', () => {
  test('lists the records that refer to the record, by any attribute, newest first', async () => {
    const body = bodyOf(await related('people'))
    expect(idsOf(body)).toEqual([people[1], people[0]])
    expect(body.pagination.total).toBe(2)
    expect(idsOf((await related('deals')).body)).toEqual([deal])
  })

  test('lists the records that refer to the record by one attribute', async () => {
    expect(idsOf((await related('people?via=former_company')).body)).toEqual([people[1]])
  })

  test('sorts, pages, searches and expands like any list of records', async () => {
    const first = (await related('people?order=asc&limit=1&fields=name')).body
    expect(first.records).toMatchObject([{ id: people[0], data: { name: { firstName: 'Ada' } } }])
    expect(Object.keys(first.records[0]?.data ?? {})).toEqual(['name'])
    const next = await related(`people?order=asc&limit=1&cursor=${first.pagination.nextCursor}`)
    expect(idsOf(next.body)).toEqual([people[1]])
    expect(idsOf((await related('people?q=grace')).body)).toEqual([people[1]])
    expect((await related('people?expand=company')).body).toMatchObject({
      expanded: { records: { [company]: { id: company } } },
    })
  })

  test('takes the filters and sorts of a list', async () => {
    const parent = await make('companies', { name: 'Globex' })
    const [won, lost, large] = [
      await make('deals', { name: 'Won', company: parent, stage: 'Won', amount: 5 }),
      await make('deals', { name: 'Lost', company: parent, stage: 'Lost', amount: 7 }),
      await make('deals', { name: 'Won large', company: parent, stage: 'Won', amount: 9 }),
    ]
    const deals = async (query: string) =>
      idsOf((await org.get<List>(`/objects/companies/records/${parent}/related/deals?${query}`)).body)
    expect(await deals('filter[stage][equals]=Won&sort=amount')).toEqual([won, large])
    expect(await deals('sort=-stage,-amount')).toEqual([large, won, lost])
    expect(await deals('filter[company.name][equals]=Globex&filter[amount][lessThan]=8&sort=name')).toEqual([
      lost,
      won,
    ])
    expectError(await related('deals?filter[stag][equals]=Won'), 'invalid_filter')
  })

  test.each([
    ['people?via=compny', /did you mean "company"/],
    ['people?via=owner', /refers to the object of the record, not "owner"/],
    ['companies', /of companies that refers to the object of the record/],
  ])('rejects %s', async (rest, message) => {
    const response = await related(rest)
    expectError(response, 'invalid_parameter')
    expect(response.body).toMatchObject({
      details: { errors: [{ path: 'via', message: expect.stringMatching(message) }] },
    })
  })

  test('returns 404 for a deleted record and for an unknown object', async () => {
    const deleted = await make('companies', { name: 'Deleted' })
    await org.delete(`/objects/companies/records/${deleted}`)
    expectError(await org.get(`/objects/companies/records/${deleted}/related/people`), 'not_found')
    expectError(await related('strangers'), 'not_found')
  })
})
